package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ApiError;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real API server refuses bad WorkloadClusters, with field and remedy. */
class CustomResourceRulesIT {

    private static final ClusterLab LAB = ClusterLab.open("rules");
    private static final String GOOD = "version: v1.36.3\ntopology: {class: small}\n";

    @Test
    @Tag("T70")
    void takesNamesUpToSixtyCharacters() {
        assertThatCode(() -> create("x".repeat(60), GOOD)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "A", "a_b", "-a", "a-"})
    @Tag("T71")
    void refusesNamesThatAreNoLabels(String name) {
        refused(name, GOOD, "metadata.name", "the name must be an RFC 1123 label; use lower-case letters");
    }

    @ParameterizedTest
    @ValueSource(ints = {61, 63, 64, 253})
    @Tag("T70")
    void refusesLongNames(int length) {
        refused("x".repeat(length), GOOD, "metadata.name", "the name is too long; use at most 60 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "é", "名"})
    @Tag("T71")
    void refusesNamesThatAreNoNamesAtAll(String name) {
        // given
        ObjectNode object =
                JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\", \"metadata\":"
                        + " {\"name\": \"" + name
                        + "\"}, \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\":"
                        + " \"small\"}}}");
        String path = "/apis/slipway.dev/v1alpha1/namespaces/" + LAB.namespace() + "/workloadclusters";

        // then
        assertThatThrownBy(() -> LAB.json().create(path, object)).isInstanceOfSatisfying(ApiError.class, error -> {
            assertThat(error.status()).isEqualTo(422);
            assertThat(error.getMessage()).contains("metadata.name");
        });
    }

    @Test
    void refusesTheNameOfTheManagementCluster() {
        refused("global", GOOD, "metadata.name", "the name 'global' is reserved for the management cluster");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            templateRef: {name: t}                                          | spec | set exactly one of topology (a ClusterClass) and templateRef
            version: '1.36'                                                 | spec.version | version must be 'v', major, minor and patch, like v1.36.3
            topology: {class: a, controlPlane: {replicas: 2}}               | spec.topology.controlPlane.replicas | must be odd and at least 1
            topology: {class: a, controlPlane: {replicas: 0}}               | spec.topology.controlPlane.replicas | must be odd and at least 1
            topology: {class: a, workers: [{name: A, class: b}]}            | spec.topology.workers[0].name | the name of workers must be an RFC 1123 label
            topology: {class: a, workers: [{name: b, class: b}, {name: b, class: c}]} | .spec.topology.workers | duplicate entries for key [name="b"]
            topology: {workers: []}                                         | spec.topology.class | Required value
            clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/8]}, services: {cidrBlocks: [10.96.0.0/12]}} | spec.clusterNetwork | pods 10.0.0.0/8 and services 10.96.0.0/12 overlap; choose ranges that have no address in common
            clusterNetwork: {pods: {cidrBlocks: ['fd00::/40']}, services: {cidrBlocks: ['fd00::/112']}} | spec.clusterNetwork | overlap
            clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/8, 10.1.0.0/16]}} | spec.clusterNetwork.pods.cidrBlocks | ranges in the list overlap each other
            clusterNetwork: {pods: {cidrBlocks: [nonsense]}}                | spec.clusterNetwork.pods.cidrBlocks[0] | 'nonsense' is not a CIDR; write a range like
            clusterNetwork: {services: {cidrBlocks: [10.0.0.0/16, 11.0.0.0/16]}} | spec.clusterNetwork.services.cidrBlocks | at most one IPv4 and one IPv6 range
            controlPlaneEndpoint: {host: 'https://a'}                       | spec.controlPlaneEndpoint.host | without scheme, port or brackets
            controlPlaneEndpoint: {host: '[::1]'}                           | spec.controlPlaneEndpoint.host | without scheme, port or brackets
            controlPlaneEndpoint: {host: a, port: 0}                        | spec.controlPlaneEndpoint.port | greater than or equal to 1
            certificates: {keyAlgorithm: ECDSA, keySize: 2048}              | spec.certificates.keySize | 2048, 3072 or 4096 for RSA and 256 or 384 for ECDSA
            certificates: {keyAlgorithm: DSA}                               | spec.certificates.keyAlgorithm | supported values: "RSA", "ECDSA"
            certificates: {caValidity: 1d}                                  | spec.certificates.caValidity | must be a duration like 87600h
            certificates: {caValidity: 720h}                                | spec.certificates.caValidity | longer than 720h
            certificates: {caValidity: 8759h}                               | spec.certificates.clientValidity | must not be longer than caValidity
            workers: {minimumReadyPercent: 101}                             | spec.workers.minimumReadyPercent | less than or equal to 100
            """)
    void refusesWithFieldAndRemedy(String yaml, String field, String message) {
        String part = yaml.substring(0, yaml.indexOf(':'));
        String others =
                GOOD.lines().filter(line -> !line.startsWith(part + ":")).reduce("", (a, b) -> a + b + "\n");
        refused("c", others + yaml + "\n", field, message);
    }

    @Test
    void refusesUnknownFields() {
        refused("c", GOOD + "topologi: {}\n", "spec.topologi", "field not declared in schema");
    }

    @Test
    void takesIpv6AndDualStack() {
        assertThatCode(
                        () -> create(
                                "dual",
                                GOOD
                                        + """
                                controlPlaneEndpoint: {host: "fd00::1"}
                                clusterNetwork:
                                  pods: {cidrBlocks: [192.168.0.0/16, "fd00:1::/48"]}
                                  services: {cidrBlocks: [10.96.0.0/12, "fd00:2::/112"]}
                                """))
                .doesNotThrowAnyException();
    }

    @Test
    void takesEveryExampleOfTheDocumentation() throws Exception {
        // given
        List<String> examples = Pattern.compile("(?s)```yaml\n(.*?)```")
                .matcher(Files.readString(WorkloadClusterDocsTest.PAGE))
                .results()
                .map(found -> found.group(1).replace("namespace: team-a", "namespace: " + LAB.namespace()))
                .toList();

        // then
        assertThat(examples).hasSize(3);
        for (String example : examples) {
            KubeObject object = Manifests.read(example).get(0);
            assertThatCode(() -> LAB.client().dryRunApply(ResourceType.WORKLOAD_CLUSTERS, object))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            spec: {topology: {class: other}}                                   | spec.topology
            spec: {topology: {classNamespace: other}}                          | spec.topology
            spec: {topology: null, templateRef: {name: t}}                     | spec
            spec: {clusterNetwork: {pods: {cidrBlocks: [172.16.0.0/16]}}}      | spec.clusterNetwork
            spec: {clusterNetwork: null}                                       | spec.clusterNetwork
            spec: {controlPlaneEndpoint: {host: other}}                        | spec.controlPlaneEndpoint
            """)
    void keepsWhatTheClusterIsMadeOfOnceItIsBuilt(String change, String field) {
        // given
        String spec =
                GOOD + "controlPlaneEndpoint: {host: a}\nclusterNetwork: {pods: {cidrBlocks: [192.168.0.0/16]}}\n";

        // then it may be corrected as long as nothing was made
        for (String phase : new String[] {"Admit", "EnsureNotPaused"}) {
            String early = inPhase(phase, change, spec);
            assertThatCode(() -> LAB.patch("slipway.dev", "WorkloadCluster", early, change))
                    .doesNotThrowAnyException();
        }

        // and not later
        String late = inPhase("EnsureCertificates", change, spec);
        assertThatThrownBy(() -> LAB.patch("slipway.dev", "WorkloadCluster", late, change))
                .hasMessageContaining(field)
                .hasMessageContaining("once");
    }

    private static String inPhase(String phase, String change, String spec) {
        String name = phase.toLowerCase(Locale.ROOT) + "-" + Math.abs(change.hashCode());
        LAB.declare(name, spec);
        LAB.patchStatus("slipway.dev", "WorkloadCluster", name, "flow: {phase: " + phase + "}");
        return name;
    }

    @Test
    void letsReplicasAndPauseChangeAtAnyTime() {
        // given
        LAB.declare("growing", GOOD);
        LAB.patchStatus("slipway.dev", "WorkloadCluster", "growing", "flow: {phase: EnsureHealthy}");

        // when
        LAB.patch(
                "slipway.dev",
                "WorkloadCluster",
                "growing",
                "spec: {paused: true, topology: {controlPlane: {replicas: 3}}}");

        // then
        WorkloadCluster cluster = WorkloadCluster.of(LAB.get("slipway.dev", "WorkloadCluster", "growing"));
        assertThat(cluster.spec().paused()).isTrue();
        assertThat(cluster.spec().topology().controlPlane().replicas()).isEqualTo(3);
    }

    private static void refused(String name, String spec, String field, String message) {
        assertThatThrownBy(() -> create(name, spec)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(failure.message()).contains(field).contains(message);
        });
    }

    private static void create(String name, String spec) throws Manifests.Unreadable {
        KubeObject object = WorkloadClusterTest.object(name, spec);
        object.json()
                .withObjectProperty("metadata")
                .put("namespace", LAB.namespace())
                .remove("uid");
        LAB.client().dryRunApply(ResourceType.WORKLOAD_CLUSTERS, object);
    }
}
