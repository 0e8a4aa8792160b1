package dev.slipway.sentry;

import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.FaultInjector;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.sentry.SentrySettings.TokenKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sentry's token, in a real cluster whose token controller runs. */
class SentryTokenIT {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

    private final SentryLab lab = new SentryLab();
    private final SentrySettings requested = lab.settings(TokenKind.REQUEST);

    @Test
    void aHundredRunsMakeOneTokenSecretAndOneToken() {
        // given
        Outcome.Done first = untilDone(lab.settings());
        List<String> versions = versions("sentry-token");

        // when
        for (int i = 0; i < 100; i++) {
            assertThat(lab.token()).isEqualTo(first);
        }

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token");
        assertThat(versions("sentry-token")).isEqualTo(versions);
        assertThat(lab.handedOver).containsOnly(lab.lastToken());
        assertThat(userOf(lab.lastToken())).isEqualTo("system:serviceaccount:" + lab.namespace + ":sentry");
        assertThat(first.facts())
                .containsEntry(SentryToken.TOKEN_SECRET, "sentry-token")
                .containsEntry(WorkloadNamespace.CREATED_BY_US, "true")
                .doesNotContainKey(SentryToken.TOKEN_EXPIRES);
    }

    @Test
    void theTokenStandsInNoText() {
        // when
        Outcome.Done filled = untilDone(lab.settings());
        Outcome.Done asked = untilDone(requested);

        // then
        for (Token token : lab.handedOver) {
            assertThat(token.value()).hasSizeGreaterThan(100);
            assertThat(filled + " " + asked + " " + token).doesNotContain(token.value());
        }
    }

    @Test
    void replacesATokenThatIsDeclaredVoidAndDeletesItsSecretAfterwards() {
        // given
        untilDone(lab.settings());
        Token old = lab.lastToken();
        lab.json.merge(
                lab.secretPath("sentry-token"),
                "{\"metadata\":{\"labels\":{\"" + INVALID_SINCE + "\":\"2026-01-01\"}}}");

        // when
        Outcome next = lab.token();

        // then
        assertThat(reason(next)).isEqualTo("WaitingForToken");
        assertThat(lab.secret("sentry-token"))
                .as("kept until the new one is proven")
                .isPresent();

        // when
        untilDone(lab.settings());

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token-2");
        assertThat(lab.lastToken()).isNotEqualTo(old);
    }

    @Test
    void anotherTokenComesWhenTheAccountWasDeleted() {
        // given
        untilDone(lab.settings());
        Token old = lab.lastToken();
        int before = lab.handedOver.size();

        // when
        lab.json.delete(lab.accountPath());
        untilDone(lab.settings());

        // then
        assertThat(lab.handedOver.size()).isGreaterThan(before);
        assertThat(lab.lastToken()).isNotEqualTo(old);
        assertThat(userOf(lab.lastToken())).endsWith(":sentry");
        await().atMost(PATIENCE).untilAsserted(() -> {
            lab.token();
            assertThat(lab.secrets()).hasSize(1);
        });
    }

    @Test
    void aDeletedTokenSecretIsMadeAgain() {
        // given
        untilDone(lab.settings());
        String uid = uid("sentry-token");

        // when
        lab.json.delete(lab.secretPath("sentry-token"));
        untilDone(lab.settings());

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token");
        assertThat(uid("sentry-token")).isNotEqualTo(uid);
    }

    @Test
    void everythingComesAgainWhenTheNamespaceWasDeletedInBetween() {
        // given
        untilDone(lab.settings());
        Token old = lab.lastToken();

        // when
        lab.json.delete(lab.namespacePath());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lab.token()).isInstanceOf(Outcome.Done.class));

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token");
        assertThat(lab.lastToken()).isNotEqualTo(old);
    }

    @Test
    void adoptsATokenSecretThatSomebodyMade() {
        // given
        lab.account();
        ObjectNode theirs = JsonApi.parse(
                "{'type':'kubernetes.io/service-account-token','metadata':{'name':'sentry-token',".replace('\'', '"')
                        + "'annotations':{'kubernetes.io/service-account.name':'sentry'}}}".replace('\'', '"'));
        assertThat(lab.json.create(lab.namespacePath() + "/secrets", theirs)).isPresent();

        // when
        Outcome.Done done = untilDone(lab.settings());

        // then
        assertThat(done.facts()).containsEntry(SentryToken.TOKEN_SECRET, "sentry-token");
        assertThat(lab.secrets()).containsExactly("sentry-token");
        // The API server itself labels it with the day of its last use.
        assertThat(lab.secret("sentry-token").orElseThrow().at("/metadata/labels"))
                .noneMatch(label -> label.asText().equals("slipway"));
    }

    @Test
    void leavesForeignSecretsAloneAndSaysHowToDeleteThem() {
        // given
        lab.account();
        put("sentry-token");
        put("sentry-token-2");

        // when
        Outcome outcome = lab.token();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(blocked.actions().get(0))
                    .contains("kubectl -n " + lab.namespace + " delete secret sentry-token");
        });
        assertThat(lab.secrets()).containsExactly("sentry-token", "sentry-token-2");
    }

    @Test
    void asksForTheRightsThatTheTokenLacks() {
        // given
        List<String> rights = List.of("list pods", "create deployments.apps");
        String role = lab.namespace + "-viewer";
        lab.json.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                JsonApi.parse("{\"metadata\":{\"name\":\"" + role + "\"},\"rules\":["
                        + "{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"list\"]}]}"));
        SentrySettings viewer = lab.settings(role, rights, TokenKind.SECRET);

        // when
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lab.token(viewer))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                    // then
                    assertThat(waiting.reason()).isEqualTo("WaitingForSentryRights");
                    assertThat(waiting.message())
                            .contains("may not: create deployments.apps;")
                            .contains("ClusterRole " + role);
                }));
        assertThat(lab.handedOver).isEmpty();

        // when
        untilDone(lab.settings("", rights, TokenKind.SECRET));

        // then
        assertThat(lab.handedOver).isNotEmpty();
    }

    @Test
    void aRequestedTokenStaysUntilAFifthOfItsLifeIsLeft() {
        // given
        Outcome.Done first = untilDone(requested);
        Token old = lab.lastToken();
        Instant expires = Instant.parse(first.facts().get(SentryToken.TOKEN_EXPIRES));
        List<String> versions = versions("sentry-token-requested");

        // when
        for (int i = 0; i < 100; i++) {
            assertThat(lab.token(requested)).isInstanceOf(Outcome.Done.class);
        }
        lab.token(requested, expires.minus(Duration.ofMinutes(125)));

        // then
        assertThat(versions("sentry-token-requested")).isEqualTo(versions);
        assertThat(lab.handedOver).containsOnly(old);

        // when
        Outcome renewed = lab.token(requested, expires.minus(Duration.ofMinutes(115)));

        // then
        assertThat(renewed).isInstanceOf(Outcome.Done.class);
        assertThat(lab.lastToken()).isNotEqualTo(old);
        assertThat(userOf(old)).as("the old one holds until its end").endsWith(":sentry");
        assertThat(lab.secrets()).containsExactly("sentry-token-requested");
    }

    @Test
    void aRevokedTokenIsRequestedAgain() {
        // given
        untilDone(requested);
        Token old = lab.lastToken();

        // when
        lab.json.delete(lab.secretPath("sentry-token-requested"));
        untilDone(requested);

        // then
        assertThat(lab.lastToken()).isNotEqualTo(old);
        // API servers remember for ten seconds that they accepted a token.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(lab.workload().review(old, List.of()))
                .isEmpty());
        assertThat(userOf(lab.lastToken())).endsWith(":sentry");
    }

    @Test
    void aTokenThatSomebodyOverwroteIsReplaced() {
        // given
        untilDone(requested);
        String nonsense = Base64.getEncoder().encodeToString("nonsense".getBytes(StandardCharsets.UTF_8));
        lab.json.merge(lab.secretPath("sentry-token-requested"), "{\"data\":{\"token\":\"" + nonsense + "\"}}");

        // when
        Outcome outcome = lab.token(requested);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(userOf(lab.lastToken())).endsWith(":sentry");
    }

    @Test
    void aFilledTokenThatSomebodyOverwroteIsReplacedToo() {
        // given
        untilDone(lab.settings());
        lab.json.merge(lab.secretPath("sentry-token"), "{\"data\":{\"token\":\"bm8gdG9rZW4=\"}}");

        // when
        untilDone(lab.settings());

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token-2");
        assertThat(userOf(lab.lastToken())).endsWith(":sentry");
    }

    @Test
    void anotherKindOfTokenTakesThePlaceOfTheFirst() {
        // given
        untilDone(lab.settings());

        // when
        untilDone(requested);

        // then
        assertThat(lab.secrets()).containsExactly("sentry-token-requested");
    }

    @Test
    void comesThroughLostAnswersOfEveryWrite() {
        // given
        try (FaultInjector faults = FaultInjector.before(SentryLab.plane())) {
            lab.account();
            lab.through(faults.kubeconfig());
            faults.on(writes(), resource("secrets")).every(2).loseAnswer();
            faults.on(writes(), resource("serviceaccounts")).times(1).loseAnswer();
            faults.on(writes(), resource("selfsubjectreviews")).times(1).loseAnswer();

            // when
            untilDone(lab.settings());
            untilDone(requested);
            untilDone(lab.settings());

            // then
            await().atMost(PATIENCE).untilAsserted(() -> {
                untilDone(lab.settings());
                assertThat(lab.secrets()).containsExactly("sentry-token");
            });
            assertThat(faults.injected().values().stream().mapToLong(n -> n).sum())
                    .isGreaterThan(3);
        }
    }

    private Outcome.Done untilDone(SentrySettings settings) {
        await().atMost(PATIENCE)
                .ignoreExceptionsMatching(e -> e instanceof Failure f && f.errorClass() == ErrorClass.TRANSIENT)
                .untilAsserted(() -> assertThat(lab.token(settings)).isInstanceOf(Outcome.Done.class));
        return (Outcome.Done) lab.token(settings);
    }

    private String userOf(Token token) {
        return lab.workload().review(token, List.of()).orElseThrow().user();
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Waiting.class);
        return ((Outcome.Waiting) outcome).reason();
    }

    private List<String> versions(String secret) {
        return List.of(
                lab.serviceAccount().at("/metadata/resourceVersion").asText(),
                lab.secret(secret).orElseThrow().at("/metadata/resourceVersion").asText());
    }

    private String uid(String secret) {
        return lab.secret(secret).orElseThrow().at("/metadata/uid").asText();
    }

    private void put(String secret) {
        ObjectNode object = JsonApi.parse("{\"metadata\":{\"name\":\"" + secret + "\"}}");
        assertThat(lab.json.create(lab.namespacePath() + "/secrets", object)).isPresent();
    }
}
