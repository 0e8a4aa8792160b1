package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that a WorkloadCluster itself must keep, checked without a server. */
class SpecRulesTest {

    private static final String GOOD = "version: v1.36.3\ntopology: {class: small}\n";

    @Test
    void letsAGoodClusterPass() throws Exception {
        assertThat(problems("c", GOOD)).isEmpty();
        assertThat(problems("x".repeat(60), GOOD)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "A", "a_b", "-a", "a-", "é", "global"})
    @Tag("T71")
    void refusesNamesThatBreakLater(String name) throws Exception {
        assertThat(problems(name, GOOD)).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("NameInvalid");
            assertThat(problem.field()).isEqualTo("metadata.name");
            assertThat(problem.message()).contains("'" + name + "'");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {61, 63, 64, 253})
    @Tag("T70")
    void refusesLongNamesWithTheLimitAndItsReason(int length) throws Exception {
        assertThat(problems("x".repeat(length), GOOD))
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.message())
                                .isEqualTo(
                                        "the name has " + length
                                                + " characters, the limit is 60: names of secrets, labels and credentials are derived from it"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            version: '1.36'                                                   | VersionInvalid  | spec.version
            version: v1.36                                                    | VersionInvalid  | spec.version
            templateRef: {name: t}                                            | SourceInvalid   | spec
            topology: {class: ''}                                             | ClassUnknown    | spec.topology.class
            topology: {class: a, controlPlane: {replicas: 2}}                 | ReplicasInvalid | spec.topology.controlPlane.replicas
            topology: {class: a, controlPlane: {replicas: 0}}                 | ReplicasInvalid | spec.topology.controlPlane.replicas
            topology: {class: a, workers: [{name: A, class: b}]}              | NameInvalid     | spec.topology.workers[A].name
            topology: {class: a, workers: [{name: b, class: b, replicas: -1}]} | ReplicasInvalid | spec.topology.workers[b].replicas
            controlPlaneEndpoint: {host: 'https://a'}                         | EndpointInvalid | spec.controlPlaneEndpoint.host
            controlPlaneEndpoint: {host: '[::1]'}                             | EndpointInvalid | spec.controlPlaneEndpoint.host
            controlPlaneEndpoint: {host: a, port: 0}                          | EndpointInvalid | spec.controlPlaneEndpoint.port
            clusterNetwork: {pods: {cidrBlocks: [x]}}                         | CidrInvalid     | spec.clusterNetwork.pods.cidrBlocks[0]
            clusterNetwork: {pods: {cidrBlocks: []}}                          | CidrInvalid     | spec.clusterNetwork.pods.cidrBlocks
            clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/8, 10.1.0.0/16]}}   | CidrOverlap     | spec.clusterNetwork.pods.cidrBlocks[1]
            clusterNetwork: {pods: {cidrBlocks: ['fd00::/40', 'fd00::/48']}}  | CidrOverlap     | spec.clusterNetwork.pods.cidrBlocks[1]
            clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/8]}, services: {cidrBlocks: [10.96.0.0/12]}} | CidrOverlap | spec.clusterNetwork
            clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/8, 'fd00::/40']}, services: {cidrBlocks: ['fd00::/112']}} | CidrOverlap | spec.clusterNetwork
            clusterNetwork: {services: {cidrBlocks: [10.0.0.0/16, 11.0.0.0/16]}} | CidrInvalid | spec.clusterNetwork.services.cidrBlocks
            certificates: {keyAlgorithm: ECDSA, keySize: 2048}                | KeySizeInvalid  | spec.certificates.keySize
            certificates: {caValidity: 720h, clientValidity: 1h}              | ValidityInvalid | spec.certificates.caValidity
            certificates: {clientValidity: 59m}                               | ValidityInvalid | spec.certificates.clientValidity
            certificates: {caValidity: 8759h}                                 | ValidityInvalid | spec.certificates.clientValidity
            workers: {minimumReadyPercent: 101}                               | PercentInvalid  | spec.workers.minimumReadyPercent
            """)
    void refusesWithCodeAndField(String yaml, String code, String field) throws Exception {
        // given
        String part = yaml.substring(0, yaml.indexOf(':'));
        String others =
                GOOD.lines().filter(line -> !line.startsWith(part + ":")).reduce("", (a, b) -> a + b + "\n");

        // then
        assertThat(problems("c", others + yaml + "\n")).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.remedy()).isNotBlank();
        });
    }

    @Test
    void tellsAllProblemsAtOnce() throws Exception {
        // given
        WorkloadCluster cluster = WorkloadClusterTest.cluster("version: x\nworkers: {minimumReadyPercent: 101}\n");
        Findings findings = new Findings();

        // when
        SpecRules.check(cluster, findings);

        // then
        assertThat(findings.refusal(cluster)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(blocked.code()).isEqualTo("SpecInvalid");
            assertThat(blocked.message())
                    .isEqualTo("WorkloadCluster ns/c has 3 problems."
                            + " (1) spec.version: 'x' is not 'v', major, minor and patch"
                            + " (2) spec: neither topology nor templateRef is set"
                            + " (3) spec.workers.minimumReadyPercent: 101 is no share");
            assertThat(blocked.actions()).hasSize(3);
        });
    }

    private static List<Problem> problems(String name, String spec) throws Exception {
        Findings findings = new Findings();
        SpecRules.check(WorkloadCluster.of(WorkloadClusterTest.object(name, spec)), findings);
        return findings.problems();
    }
}
