package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission on a real API server: what is let in, and what is refused with which words. */
class AdmitIT {

    private static final Path FILES = Path.of("src/test/resources/cluster");
    private static final String TOPOLOGY =
            """
            version: v1.36.3
            topology:
              class: small
              workers: [{class: default-worker, name: md-0, replicas: 1}]
              variables: [{name: flavour, value: big}]
            """;
    private static final String TEMPLATE =
            "version: v1.36.3\ntemplateRef: {name: t, variables: {CONTROL_PLANE_MACHINE_COUNT: '1'}}\n";

    private final ClusterLab lab = ClusterLab.open("admit");
    private final Admit admit = new Admit(lab.clusters(), lab.admission());

    @Test
    void letsAGoodTopologyInAndWritesNothing() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        Map<String, String> before = lab.versions();

        // when
        Outcome first = admit.run(lab.context(cluster));
        Outcome second = admit.run(lab.context(cluster));

        // then
        assertThat(first).isEqualTo(Outcome.done(cluster.display() + " can be built"));
        assertThat(second).isEqualTo(first);
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void letsAGoodTemplateInAndWritesNothing() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE);
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = admit.run(lab.context(cluster));

        // then
        assertThat(outcome).isEqualTo(Outcome.done(cluster.display() + " can be built"));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void refusesAnUnknownClassAndListsTheExistingOnes() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", "version: v1.36.3\ntopology: {class: large}\n");

        // when
        Outcome.Blocked blocked = blocked(cluster);

        // then
        assertThat(blocked.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(blocked.code()).isEqualTo("ClassUnknown");
        assertThat(blocked.message())
                .isEqualTo(cluster.display() + ": spec.topology.class: there is no ClusterClass 'large' in namespace '"
                        + lab.namespace() + "'; there is small");
        assertThat(blocked.actions())
                .containsExactly("Use one of the existing classes, or set classNamespace to another namespace");
    }

    @Test
    void tellsEverythingThatIsWrongWithATopologyAtOnce() throws IOException {
        // given a class that refers to a provider that is not installed
        lab.apply(Files.readString(FILES.resolve("class.yaml"))
                .replace("kind: DevClusterTemplate", "kind: MoonTemplate"));
        WorkloadCluster cluster = lab.declare(
                "c",
                """
                version: v1.36.3
                topology:
                  class: small
                  workers: [{class: gpu, name: md-0}]
                  variables: [{name: colour, value: red}]
                """);

        // when
        Outcome.Blocked blocked = blocked(cluster);

        // then
        assertThat(blocked.code()).isEqualTo("SpecInvalid");
        assertThat(blocked.message())
                .contains(" has 4 problems. ")
                .contains("the management cluster does not serve MoonTemplate.infrastructure.cluster.x-k8s.io")
                .contains("spec.topology.workers[md-0].class: the ClusterClass has no class 'gpu' for workers;"
                        + " it has [default-worker]")
                .contains("spec.topology.variables[flavour]: the ClusterClass requires it and has no default")
                .contains(
                        "spec.topology.variables: the ClusterClass has no variables [colour]; it has [flavour, zone]");
        assertThat(blocked.actions())
                .contains("Install the provider that brings MoonTemplate.infrastructure.cluster.x-k8s.io,"
                        + " or correct apiVersion and kind");
    }

    @Test
    void noticesByItselfThatTheInputWasCorrected() throws IOException {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        assertThat(blocked(cluster).code()).isEqualTo("ClassUnknown");

        // when
        lab.apply(Files.readString(FILES.resolve("class.yaml")));

        // then
        assertThat(admit.run(lab.context(cluster))).isInstanceOf(Outcome.Done.class);
    }

    @ParameterizedTest(name = "{0} becomes {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            name: ${CLUSTER_NAME}\\n  namespace                | name: other\\n  namespace | TemplateInvalid | 'other' is not the name of the WorkloadCluster, 'c'
            namespace: ${NAMESPACE}                            | namespace: kube-system | TemplateInvalid | 'kube-system' is not the namespace of the WorkloadCluster
            kind: DevCluster\\nmetadata                         | kind: MoonCluster\\nmetadata | KindAbsent | does not serve MoonCluster.infrastructure.cluster.x-k8s.io
            kind: DevCluster, name                             | kind: MoonCluster, name | KindAbsent | Cluster c, infrastructureRef: the management cluster does not serve MoonCluster
            kind: Secret                                       | kind: Pod | KindForbidden | v1 Pod is nothing that a cluster is made of
            apiVersion: v1\\nkind: Secret                       | apiVersion: rbac.authorization.k8s.io/v1\\nkind: RoleBinding | KindForbidden | rbac.authorization.k8s.io/v1 RoleBinding is nothing
            kind: Secret                                       | type: kubernetes.io/service-account-token\\nkind: Secret | KindForbidden | v1 Secret is nothing
            ${POD_CIDR:=192.168.0.0/16}                        | nonsense | CidrInvalid | Cluster, spec.clusterNetwork.pods.cidrBlocks[0]: 'nonsense' is not a CIDR
            ${KUBERNETES_VERSION}                              | ${KUBERNETES_VERSION^^} | TemplateInvalid | is not ${NAME}, ${NAME:=default} or ${NAME:-default}
            ${KUBERNETES_VERSION}                              | ${OTHER} | VariableMissing | spec.templateRef.variables.OTHER: the template needs it and has no default
            kind: Secret                                       | kind: Secret: x | TemplateInvalid | after filling in variables is not YAML
            `name: "${CLUSTER_NAME}"}\\nspec:\\n  backend`       | `name: "${CLUSTER_NAME}", ownerReferences: [{}]}\\nspec:\\n  backend` | TemplateInvalid | metadata.ownerReferences: they are set by Slipway
            """)
    void refusesTemplatesThatCannotBeMade(String part, String replacement, String code, String message)
            throws IOException {
        // given
        String text = Files.readString(FILES.resolve("template.yaml"));
        String from = part.replace("\\n", "\n");
        assertThat(text).contains(from);
        lab.template("t", text.replace(from, replacement.replace("\\n", "\n")));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE);

        // when
        Outcome.Blocked blocked = blocked(cluster);

        // then
        assertThat(blocked.code()).isEqualTo(code);
        assertThat(blocked.message()).contains(message);
        assertThat(blocked.actions()).isNotEmpty();
    }

    @Test
    void refusesATemplateWithoutAClusterAndOneWithTwo() throws IOException {
        // given
        String text = Files.readString(FILES.resolve("template.yaml"));
        String cluster = text.substring(0, text.indexOf("---"));
        lab.template("t", text.substring(text.indexOf("---") + 4));
        lab.template("two", text + "---\n" + cluster.replace("name: ${CLUSTER_NAME}\n", "name: second\n"));

        // then
        assertThat(blocked(lab.declare("none", TEMPLATE)).message()).contains("it has 0 objects of the kind Cluster");
        assertThat(blocked(lab.declare("two", TEMPLATE.replace("name: t,", "name: two,")))
                        .message())
                .contains("it has 2 objects of the kind Cluster");
    }

    @Test
    void refusesATemplateThatIsNotThere() {
        // given
        lab.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: empty}\ndata: {a.yaml: '', b.yaml: ''}\n");

        // then
        assertThat(blocked(lab.declare("a", TEMPLATE)).message())
                .contains("spec.templateRef.name: there is no ConfigMap " + lab.namespace() + "/t");
        assertThat(blocked(lab.declare("b", TEMPLATE.replace("name: t,", "name: empty,")))
                        .message())
                .contains(
                        "spec.templateRef.key: the ConfigMap empty has no key 'template.yaml'; it has [a.yaml, b.yaml]");
    }

    @Test
    void refusesASecondOpinionInTheTemplate() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        WorkloadCluster cluster = lab.declare(
                "c",
                TEMPLATE.replace("'1'", "'1', KUBERNETES_VERSION: v1.35.0")
                        + "clusterNetwork: {pods: {cidrBlocks: [172.16.0.0/16]}}\n");

        // when
        Outcome.Blocked blocked = blocked(cluster);

        // then
        assertThat(blocked.message())
                .contains("spec.templateRef.variables.KUBERNETES_VERSION: 'v1.35.0' differs from 'v1.36.3'")
                .contains("spec.clusterNetwork.pods: it is {\"cidrBlocks\":[\"172.16.0.0/16\"]} here and"
                        + " {\"cidrBlocks\":[\"192.168.0.0/16\"]} in ConfigMap t/template.yaml");
    }

    @Test
    @Tag("T71")
    void warnsOfDottedHostNamesAndUnusedVariables() throws IOException {
        // given
        lab.template(
                "t",
                Files.readString(FILES.resolve("template.yaml"))
                        .replace(
                                "clusterConfiguration:",
                                "initConfiguration: {nodeRegistration: {name: node-1.example.test}}\n"
                                        + "    joinConfiguration: {nodeRegistration: {name: '{{ ds.meta_data.name }}'}}\n"
                                        + "    clusterConfiguration:"));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE.replace("'1'", "'1', TYPO: x"));

        // when
        Outcome outcome = admit.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("the template does not use the variables [TYPO]")
                .contains("names a node 'node-1.example.test': kubeadm may hang")
                .doesNotContain("ds.meta_data"));
    }

    @Test
    void tellsAReplacedOrVanishedObjectFromItsOwn() {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        ClusterRef other = new ClusterRef(lab.namespace(), "c", "another-uid");
        ClusterRef gone = new ClusterRef(lab.namespace(), "gone", "some-uid");

        // then
        assertThatThrownBy(() -> admit.run(lab.context(other, Map.of())))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                    assertThat(failure.code()).isEqualTo("WorkloadClusterReplaced");
                    assertThat(failure.message()).contains(cluster.uid()).contains("another-uid");
                });
        assertThatThrownBy(() -> admit.run(lab.context(gone, Map.of())))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo("WorkloadClusterGone"));
    }

    private Outcome.Blocked blocked(WorkloadCluster cluster) {
        Outcome outcome = admit.run(lab.context(cluster));
        assertThat(outcome).isInstanceOf(Outcome.Blocked.class);
        return (Outcome.Blocked) outcome;
    }
}
