package dev.slipway.imports;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of workload clusters. */
class ServerVersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"v1.27.16", "v1.9.0", "1.22.3+k3s1", "v0.99.0"})
    void anOldVersionIsRefusedNamingTheOldest(String version) {
        assertThatThrownBy(() -> ServerVersion.require("https://a:6443", version))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> org.assertj.core.api.Assertions.assertThat(failure.errorClass())
                                .isEqualTo(ErrorClass.INVALID))
                .hasMessage("https://a:6443 runs Kubernetes " + version + "; the oldest that can be imported is 1.28");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.28.0", "v1.36.3-gke.100", "v2.0.0", "v1.100.1", "", "somebody's own"})
    void othersPass(String version) {
        assertThatCode(() -> ServerVersion.require("https://a:6443", version)).doesNotThrowAnyException();
    }
}
