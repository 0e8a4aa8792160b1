package dev.slipway.platform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.platform.ImportInvariants.Broken;
import dev.slipway.platform.ImportInvariants.Facts;
import dev.slipway.platform.ImportInvariants.Invariant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an imported cluster must show, and which phase repairs it. */
class ImportInvariantsTest {

    private static final String CREATED = "creationTimestamp: \"2030-01-01T00:00:00Z\"";
    private static final String DELETING = ", deletionTimestamp: \"2030-01-01T00:00:00Z\"";

    private final KubeObject imported = object("{name: prod, namespace: team, labels: {capi.cpaas.io/imported: \"\"}}");
    private final Optional<PlatformCluster> platform = Optional.of(new PlatformCluster(object("{name: prod}")));
    private final Optional<KubeObject> sentry = Optional.of(object("{name: sentry, namespace: cpaas-system}"));

    @Test
    void allHoldWithALabelWhoseValueIsEmpty() {
        assertThat(ImportInvariants.broken(new Facts(imported, platform, List.of(credential("cc-prod")), sentry)))
                .isEmpty();
    }

    @Test
    void withNothingThereEveryPhaseIsNamedInTheOrderOfTheFlow() {
        // when
        List<Broken> broken = ImportInvariants.broken(
                new Facts(object("{name: prod, namespace: team}"), Optional.empty(), List.of(), Optional.empty()));

        // then
        assertThat(broken.stream().map(b -> b.invariant().phase()))
                .containsExactly("EnsureSentry", "EnsureSingleCredential", "EnsurePlatformCluster", "CommitImported");
        assertThat(broken.stream().map(b -> b.invariant().number())).containsExactly(4, 3, 1, 2);
        assertThat(broken.stream().map(Broken::message))
                .containsExactly(
                        "the ServiceAccount sentry is absent from the workload cluster of prod",
                        "no credential has the label of prod",
                        "the platform Cluster prod does not exist",
                        "Cluster team/prod has no label capi.cpaas.io/imported");
    }

    @Test
    void credentialsAreCountedByClusterApisLabelAlone() {
        // given
        ClusterCredential byField = of("metadata: {name: cc-x, " + CREATED + "}\nclusterName: prod");

        // then
        assertCredentials(
                "prod has 2 credentials instead of one: cc-a (created 2030-01-01T00:00:00Z), cc-b (created"
                        + " 2030-01-01T00:00:00Z)",
                credential("cc-b"),
                credential("cc-a"));
        assertCredentials(
                "no credential has the label of prod, though cc-x (created 2030-01-01T00:00:00Z) belongs to it",
                byField);
        assertThat(ImportInvariants.broken(
                        new Facts(imported, platform, List.of(credential("cc-prod"), byField), sentry)))
                .isEmpty();
    }

    @Test
    void whatIsBeingDeletedDoesNotCount() {
        // given
        ClusterCredential going = of(
                "metadata: {name: cc-prod, labels: {cluster.x-k8s.io/cluster-name: prod}, " + CREATED + DELETING + "}");
        Facts facts = new Facts(
                imported,
                Optional.of(new PlatformCluster(object("{name: prod" + DELETING + "}"))),
                List.of(going),
                Optional.of(object("{name: sentry" + DELETING + "}")));

        // then
        assertThat(ImportInvariants.broken(facts).stream().map(Broken::invariant))
                .containsExactly(Invariant.SENTRY, Invariant.SINGLE_CREDENTIAL, Invariant.PLATFORM_CLUSTER);
    }

    private void assertCredentials(String message, ClusterCredential... credentials) {
        assertThat(ImportInvariants.broken(new Facts(imported, platform, Arrays.asList(credentials), sentry)))
                .containsExactly(new Broken(Invariant.SINGLE_CREDENTIAL, message));
    }

    private static ClusterCredential credential(String name) {
        return of("metadata: {name: " + name + ", labels: {cluster.x-k8s.io/cluster-name: prod}, " + CREATED + "}");
    }

    private static ClusterCredential of(String yaml) {
        return new ClusterCredential(new KubeObject(parse(yaml)));
    }

    private static KubeObject object(String metadata) {
        return new KubeObject(parse("metadata: " + metadata));
    }

    private static ObjectNode parse(String yaml) {
        return JsonApi.parseYaml(yaml).get(0);
    }
}
