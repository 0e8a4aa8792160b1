package dev.slipway.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.helm.Progress.Done;
import dev.slipway.phase.Failure;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Charts from a real OCI registry with a private CA and a login. */
class OciChartIT {

    private static OciRegistry registry;

    private final HelmRuns runs = new HelmRuns(HelmLab.runtime(), HelmLab.PATIENT);
    private final HelmReleases releases = new HelmReleases(runs, Clock.systemUTC());

    @BeforeAll
    static void start() throws Exception {
        registry = OciRegistry.start("robot", "pass-word-1", "web", "1.0.0");
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    @Test
    void aChartIsInstalledFromARegistryWithLoginAndPrivateCa() {
        // given
        ReleaseTarget target =
                HelmLab.target(HelmLab.workload(), ControlPlane.shared().newNamespace("oci"));
        ChartSource source = registry.source("web", "^1", "robot", "pass-word-1");

        // when
        ChartSource exact = releases.resolve(source);
        Progress progress = releases.install(target, exact, Values.NONE);

        // then
        assertThat(exact.version()).isEqualTo("1.0.0");
        assertThat(progress).isEqualTo(new Done());
        assertThat(releases.install(target, exact, Values.NONE)).isEqualTo(new Done());
        assertThat(releases.find(target)).map(InstalledRelease::revision).contains(1);
    }

    @Test
    void whatARegistryRefusesIsClassified() {
        ChartSource right = registry.source("web", "1.0.0", "robot", "pass-word-1");
        assertFails(registry.source("web", "1.0.0", "robot", "wrong-pass"), "RepositoryUnauthorized");
        assertFails(registry.source("web", "1.0.0", "", ""), "RepositoryUnauthorized");
        assertFails(registry.source("wep", "1.0.0", "robot", "pass-word-1"), "ChartAbsent");
        assertFails(right.at("9.9.9"), "ChartAbsent");
        assertFails(right.at("^9"), "ChartAbsent");
        assertFails(
                new ChartSource(right.url(), "web", "1.0.0", new ChartAccess("robot", "pass-word-1", "")),
                "RepositoryCaUnknown");
    }

    private void assertFails(ChartSource source, String code) {
        assertThatThrownBy(() -> releases.resolve(source)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.code()).as(failure.message()).isEqualTo(code);
            assertThat(failure.message()).doesNotContain("pass-w");
        });
    }
}
