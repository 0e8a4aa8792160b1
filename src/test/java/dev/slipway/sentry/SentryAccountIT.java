package dev.slipway.sentry;

import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.FaultKind;
import dev.slipway.faults.TlsFronts;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.sentry.SentrySettings.TokenKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Namespace, ServiceAccount and rights of the sentry, in a real cluster. */
class SentryAccountIT {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final SentryLab lab = new SentryLab();

    @Test
    void createsTheNamespaceAndKnowsLaterThatItDid() {
        // when
        Outcome first = lab.namespace();
        Outcome again = lab.namespace();
        Outcome ofAnother = lab.namespace(new ClusterRef("team", "prod", "another-uid"));

        // then
        assertThat(createdByUs(first)).isEqualTo("true");
        assertThat(createdByUs(again)).isEqualTo("true");
        assertThat(createdByUs(ofAnother)).isEqualTo("false");
    }

    @Test
    void adoptsANamespaceWithoutWritingToIt() {
        // given
        create("/api/v1/namespaces", "{'metadata':{'name':'" + lab.namespace + "'}}");
        String version = version(lab.namespacePath());

        // when
        Outcome outcome = lab.namespace();

        // then
        assertThat(createdByUs(outcome)).isEqualTo("false");
        assertThat(version(lab.namespacePath())).isEqualTo(version);
    }

    @Test
    void aLostAnswerDoesNotMakeTheNamespaceSomebodyElses() {
        // given
        try (FaultInjector faults = FaultInjector.before(SentryLab.plane())) {
            faults.on(verb("create"), resource("namespaces")).times(1).loseAnswer();
            lab.through(faults.kubeconfig());

            // when
            Outcome outcome = repeating(lab::namespace);

            // then
            assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.ANSWER_LOST, 1L));
            assertThat(createdByUs(outcome)).isEqualTo("true");
        }
    }

    @Test
    void waitsForATerminatingNamespaceAndSaysWhatHoldsItThenCreatesIt() {
        // given
        lab.namespace();
        create(lab.namespacePath() + "/configmaps", "{'metadata':{'name':'held','finalizers':['example.org/stays']}}");
        lab.json.delete(lab.namespacePath());

        // when
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lab.account())
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                    // then
                    assertThat(waiting.reason()).isEqualTo("WaitingForNamespaceGone");
                    assertThat(waiting.message())
                            .contains("configmaps")
                            .contains("example.org/stays in 1 resource")
                            .contains("finalizers of the namespace: kubernetes");
                }));

        // when
        lab.json.merge(lab.namespacePath() + "/configmaps/held", "{\"metadata\":{\"finalizers\":null}}");

        // then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lab.account()).isInstanceOf(Outcome.Done.class));
    }

    @Test
    void aHundredRunsMakeOneServiceAccountAndWriteNothingAfterTheFirst() {
        // given
        lab.account();
        // Another controller's, from the days when each account had a list of secrets.
        lab.json.merge(lab.accountPath(), "{\"secrets\":[{\"name\":\"sentry-dockercfg\"}]}");
        List<String> versions = versions();

        // when
        for (int i = 0; i < 100; i++) {
            assertThat(lab.account()).isInstanceOf(Outcome.Done.class);
        }

        // then
        assertThat(versions()).isEqualTo(versions);
        assertThat(lab.serviceAccount().at("/secrets/0/name").asText()).isEqualTo("sentry-dockercfg");
        assertThat(lab.json.list(lab.namespacePath() + "/serviceaccounts"))
                .extracting(account -> account.at("/metadata/name").asText())
                .containsOnlyOnce("sentry");
    }

    @Test
    void makesAgainWhatSomebodyDeletedInBetween() {
        // given
        lab.account();
        String uid = lab.serviceAccount().at("/metadata/uid").asText();

        // when
        lab.json.delete(lab.accountPath());
        Outcome afterAccount = lab.account();
        lab.json.delete(lab.bindingPath());
        Outcome afterBinding = lab.account();

        // then
        assertThat(afterAccount).isInstanceOf(Outcome.Done.class);
        assertThat(lab.serviceAccount().at("/metadata/uid").asText()).isNotEqualTo(uid);
        assertThat(afterBinding).isInstanceOf(Outcome.Done.class);
        assertThat(lab.read(lab.bindingPath()).at("/subjects/0/name").asText()).isEqualTo("sentry");
    }

    @Test
    void comesThroughLostAnswersOfEveryWrite() {
        // given
        try (FaultInjector faults = FaultInjector.before(SentryLab.plane())) {
            faults.on(writes(), resource("namespaces")).times(1).loseAnswer();
            faults.on(writes(), resource("serviceaccounts")).times(1).loseAnswer();
            faults.on(writes(), resource("clusterroles")).times(1).loseAnswer();
            faults.on(writes(), resource("clusterrolebindings")).times(1).loseAnswer();
            lab.through(faults.kubeconfig());
            SentrySettings own = ownRole("list nodes");

            // when
            Outcome outcome = repeating(() -> lab.account(own));

            // then
            assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.ANSWER_LOST, 4L));
            assertThat(createdByUs(outcome)).isEqualTo("true");
            assertThat(lab.read(lab.bindingPath()).at("/roleRef/name").asText()).isEqualTo(own.roleName());
        }
    }

    @Test
    void keepsItsOwnRoleAsConfigured() {
        // given
        lab.account(ownRole("list nodes"));

        // when
        Outcome outcome = lab.account(ownRole("list nodes", "create deployments.apps"));

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        JsonNode rules =
                JsonApi.parse("{'rules':[{'apiGroups':[''],'resources':['nodes'],'verbs':['list']},".replace('\'', '"')
                        + "{'apiGroups':['apps'],'resources':['deployments'],'verbs':['create']}]}".replace('\'', '"'));
        assertThat(lab.read(lab.rolePath()).path("rules")).isEqualTo(rules.path("rules"));
        assertThat(lab.read(lab.bindingPath()).at("/roleRef/name").asText())
                .isEqualTo("slipway:" + lab.namespace + ":sentry");
    }

    @Test
    void replacesItsOwnBindingWhenTheRoleChanges() {
        // given
        lab.account(lab.settings("view", List.of("list pods"), TokenKind.SECRET));
        String uid = lab.read(lab.bindingPath()).at("/metadata/uid").asText();

        // when
        Outcome outcome = lab.account();

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(lab.read(lab.bindingPath()).at("/roleRef/name").asText()).isEqualTo("cluster-admin");
        assertThat(lab.read(lab.bindingPath()).at("/metadata/uid").asText()).isNotEqualTo(uid);
    }

    @Test
    void leavesAForeignBindingAloneAndSaysHowToDeleteIt() {
        // given
        String name = "slipway:" + lab.namespace + ":sentry";
        create(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                "{'metadata':{'name':'" + name + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                        + "'kind':'ClusterRole','name':'view'},'subjects':[]}");

        // when
        Outcome outcome = lab.account();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(blocked.code()).isEqualTo("ClusterRoleBindingForeign");
            assertThat(blocked.message()).contains("roleRef is ClusterRole view");
            assertThat(blocked.actions()).anyMatch(action -> action.contains("delete clusterrolebinding '" + name));
        });
        assertThat(lab.read(lab.bindingPath()).at("/roleRef/name").asText()).isEqualTo("view");
    }

    @Test
    void isBlockedWithoutTheConfiguredRole() {
        // when
        Outcome outcome = lab.account(lab.settings("no-such-role", List.of("list nodes"), TokenKind.SECRET));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(blocked.message()).contains("no-such-role");
        });
        assertThat(lab.json.get(lab.bindingPath())).isEmpty();
    }

    @Test
    void passesRefusalsOfTheWorkloadClusterOnAsTheyAre() {
        // given
        lab.through(SentryLab.plane().kubeconfigFor("nobody", "nothing"));
        SentryLab untrusted = new SentryLab();
        try (TlsFronts fronts = TlsFronts.before(SentryLab.plane());
                TlsFronts.Front front = fronts.open(Pki.authority("another"))) {
            untrusted.through(SentryLab.plane()
                    .adminKubeconfig()
                    .replace(SentryLab.plane().server(), "https://127.0.0.1:" + front.port()));

            // when
            Failure forbidden = catchThrowableOfType(Failure.class, lab::account);
            Failure trust = catchThrowableOfType(Failure.class, untrusted::token);

            // then
            assertThat(forbidden.errorClass()).isEqualTo(ErrorClass.AUTH);
            assertThat(forbidden.code()).isEqualTo("Forbidden");
            assertThat(trust.errorClass()).isEqualTo(ErrorClass.TRUST);
            assertThat(trust.code()).isEqualTo("CaUnknown");
        }
    }

    /** As the kernel does: a transient failure is tried again. */
    private static Outcome repeating(Supplier<Outcome> step) {
        for (int attempt = 0; attempt < 10; attempt++) {
            try {
                return step.get();
            } catch (Failure e) {
                assertThat(e.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
            }
        }
        throw new AssertionError("It fails on and on");
    }

    private SentrySettings ownRole(String... rights) {
        return lab.settings("", List.of(rights), TokenKind.SECRET);
    }

    private static String createdByUs(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done) outcome).facts().get(WorkloadNamespace.CREATED_BY_US);
    }

    private List<String> versions() {
        return List.of(version(lab.namespacePath()), version(lab.accountPath()), version(lab.bindingPath()));
    }

    private String version(String path) {
        return lab.read(path).at("/metadata/resourceVersion").asText();
    }

    private void create(String collection, String object) {
        ObjectNode wanted = JsonApi.parse(object.replace('\'', '"'));
        assertThat(lab.json.create(collection, wanted)).isPresent();
    }
}
