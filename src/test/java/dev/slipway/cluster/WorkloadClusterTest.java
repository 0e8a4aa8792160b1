package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.WorkloadClusterSpec.KeyAlgorithm;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The WorkloadCluster as read from the API server. */
class WorkloadClusterTest {

    @Test
    void readsAllFieldsAndIgnoresUnknownOnes() throws Exception {
        // when
        WorkloadClusterSpec spec = cluster(
                        """
                        version: v1.36.3
                        later: {field: 1}
                        controlPlaneEndpoint: {host: "fd00::1"}
                        clusterNetwork: {pods: {cidrBlocks: [192.168.0.0/16]}, serviceDomain: cluster.local}
                        topology:
                          class: small
                          controlPlane: {replicas: 3}
                          workers: [{class: default-worker, name: md-0, replicas: 2}]
                          variables: [{name: x, value: {deep: [1, true]}}]
                        certificates: {keyAlgorithm: ECDSA, caValidity: 1h30m}
                        workers: {minimumReadyPercent: 80}
                        paused: true
                        """)
                .spec();

        // then
        assertThat(spec.version()).isEqualTo("v1.36.3");
        assertThat(spec.controlPlaneEndpoint().display()).isEqualTo("[fd00::1]:6443");
        assertThat(spec.clusterNetwork().pods().cidrBlocks()).containsExactly("192.168.0.0/16");
        assertThat(spec.topology().className()).isEqualTo("small");
        assertThat(spec.topology().controlPlane().replicas()).isEqualTo(3);
        assertThat(spec.topology().workers().get(0).replicas()).isEqualTo(2);
        assertThat(spec.topology().variables().get(0).value()).hasToString("{\"deep\":[1,true]}");
        assertThat(spec.certificates().keyAlgorithm()).isEqualTo(KeyAlgorithm.ECDSA);
        assertThat(spec.certificates().keySize()).isEqualTo(256);
        assertThat(spec.certificates().caValidity()).isEqualTo(Duration.ofMinutes(90));
        assertThat(spec.certificates().clientValidity()).isEqualTo(Duration.ofDays(365));
        assertThat(spec.workers().minimumReadyPercent()).isEqualTo(80);
        assertThat(spec.paused()).isTrue();
        assertThat(spec.dryRun()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            paused: maybe                                  | spec.paused
            topology: {workers: [{replicas: many}]}        | spec.topology.workers[0].replicas
            certificates: {caValidity: 1d}                 | spec.certificates.caValidity
            certificates: {keyAlgorithm: DSA}              | spec.certificates.keyAlgorithm
            """)
    void namesTheFieldThatCannotBeRead(String yaml, String field) {
        assertThatThrownBy(() -> cluster(yaml)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(failure.code()).isEqualTo("SpecInvalid");
            assertThat(failure.message()).startsWith("WorkloadCluster ns/c: " + field + " cannot be read: ");
            assertThat(failure.actions()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({"8760h, PT8760H", "1h30m, PT1H30M", "45s, PT45S", "1h2m3s, PT1H2M3S"})
    void readsDurationsOfManifests(String text, Duration expected) {
        assertThat(GoDuration.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1d", "-1h", "1.5h", "30m1h", "99999999h", "h"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text)).hasMessageContaining("'" + text + "' is not a duration");
    }

    static WorkloadCluster cluster(String spec) throws Manifests.Unreadable {
        return WorkloadCluster.of(object("c", spec));
    }

    static KubeObject object(String name, String spec) throws Manifests.Unreadable {
        return Manifests.read("apiVersion: slipway.dev/v1alpha1\nkind: WorkloadCluster\nmetadata: {name: '" + name
                        + "', namespace: ns, uid: u1}\nspec:\n" + spec.indent(2))
                .get(0);
    }
}
