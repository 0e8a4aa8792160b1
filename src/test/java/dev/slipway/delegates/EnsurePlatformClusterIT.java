package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.Wire;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The platform's record of a cluster, and whether its controller is content, on real API servers. */
class EnsurePlatformClusterIT {

    private static final String PHASE = "ensurePlatformCluster";
    private static final String CREDENTIAL = "ensureSingleCredential";
    private static final String RUNNING = "ensurePlatformRunning";

    private final ImportLab lab = ImportLab.open();
    private final String own = "cc-" + lab.name();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    @Tag("T40")
    void theRecordHasItsReferenceFromTheBeginningAndASecondRunWritesNothing() {
        // given
        lab.done(CREDENTIAL);
        ApiClient api = PlatformLab.plane().apiClient();
        Wire wire = Wire.into(api);
        lab.through(KubeClient.of(api));

        // when
        lab.done(PHASE);

        // then
        ObjectNode record = lab.record().orElseThrow();
        assertThat(record.at("/spec/type").asText()).isEqualTo("Imported");
        assertThat(record.at("/spec/clusterCredentialRef/name").asText()).isEqualTo(own);
        assertThat(record.at("/status/addresses/0/host").asText()).isEqualTo("127.0.0.1");
        assertThat(record.at("/metadata/annotations").toString())
                .contains("slipway.dev/cluster-id", "slipway.dev/flow");
        assertThat(lab.credential(own)
                        .orElseThrow()
                        .at("/metadata/ownerReferences/0/uid")
                        .asText())
                .isEqualTo(record.at("/metadata/uid").asText());

        // when
        long writes = writes(wire);
        lab.done(CREDENTIAL, PHASE);

        // then
        assertThat(writes(wire)).isEqualTo(writes);
    }

    @Test
    void withoutItsCredentialTheFlowGoesBack() {
        // given
        lab.done(CREDENTIAL);
        lab.management().delete(lab.credentialPath(own));

        // then
        goesBack(lab.run(PHASE), "EnsureSingleCredential", "CredentialMissing");
        assertThat(lab.record()).isEmpty();
    }

    @Test
    void aCredentialThatIsNotAcceptedGetsNoRecord() {
        // given
        lab.done(CREDENTIAL);
        lab.management().merge(lab.credentialPath(own), "{\"token\": \"made-up\"}");

        // then
        goesBack(lab.run(PHASE), "EnsureSingleCredential", "CredentialRefused");
        assertThat(lab.record()).isEmpty();

        // given
        record("{type: Imported, clusterCredentialRef: {name: cc-before}}", "");

        // then: nor does a record get it
        goesBack(lab.run(PHASE), "EnsureSingleCredential", "CredentialRefused");
        assertThat(lab.record()
                        .orElseThrow()
                        .at("/spec/clusterCredentialRef/name")
                        .asText())
                .isEqualTo("cc-before");
    }

    @Test
    void aRecordThatWasThereGetsWhatItLacksAndKeepsTheRest() {
        // given
        lab.done(CREDENTIAL);
        record("{type: Imported, displayName: Shop, clusterCredentialRef: {name: cc-before}}", "");

        // when
        lab.done(PHASE);

        // then
        ObjectNode record = lab.record().orElseThrow();
        assertThat(record.at("/spec/clusterCredentialRef/name").asText()).isEqualTo(own);
        assertThat(record.at("/spec/displayName").asText()).isEqualTo("Shop");
        assertThat(record.at("/metadata/annotations").toString())
                .contains("slipway.dev/cluster-id")
                .doesNotContain("slipway.dev/flow");
    }

    @Test
    void aRecordThatThePlatformBuiltItselfIsRefused() {
        // given
        lab.done(CREDENTIAL);
        record("{type: Baremetal, clusterCredentialRef: {name: " + own + "}}", "");
        lab.management().merge(lab.credentialPath(own), "{\"token\": \"the-platforms\"}");
        String version =
                lab.record().orElseThrow().at("/metadata/resourceVersion").asText();

        // then
        refused("PlatformClusterForeign", "Baremetal");
        assertThat(lab.record().orElseThrow().at("/metadata/resourceVersion").asText())
                .isEqualTo(version);
    }

    @Test
    void aRecordOfSomebodyElseThatLeadsElsewhereIsRefused() {
        // given
        lab.done(CREDENTIAL);
        record("{type: Imported}", "");
        lab.management()
                .merge(
                        lab.recordPath() + "/status",
                        "{\"status\": {\"addresses\": [{\"type\": \"Real\", \"host\": \"10.9.9.9\", \"port\": 6443}]}}");

        // then
        refused("PlatformClusterForeign", "leads to 10.9.9.9:6443");
    }

    @Test
    @Tag("T39")
    void aRecordOfAnotherIdentityIsRefused() {
        // given
        lab.done(CREDENTIAL);
        record("{type: Imported}", "slipway.dev/cluster-id: another");

        // then
        assertThatThrownBy(() -> lab.run(PHASE)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(failure.code()).isEqualTo("IdentityChanged");
        });
    }

    @Test
    void aNameThatThePlatformCorrectsIsReportedAndNothingElseIsMade() {
        // given
        lab.done(CREDENTIAL);
        ApiClient api = PlatformLab.plane().apiClient();
        Wire.into(api).interfere((request, chain) -> {
            if (!request.method().equals("POST") || !request.url().encodedPath().endsWith("/clusters")) {
                return chain.proceed(request);
            }
            try (var buffer = new okio.Buffer()) {
                request.body().writeTo(buffer);
                String body = buffer.readUtf8()
                        .replace("\"name\":\"" + lab.name() + "\"", "\"name\":\"" + lab.name() + "x\"");
                return chain.proceed(request.newBuilder()
                        .post(okhttp3.RequestBody.create(body, request.body().contentType()))
                        .build());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        lab.through(KubeClient.of(api));

        // then
        for (int run = 0; run < 2; run++) {
            assertThatThrownBy(() -> lab.run(PHASE)).isInstanceOfSatisfying(Failure.class, failure -> {
                assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                assertThat(failure.code()).isEqualTo("NameChanged");
                assertThat(failure.message()).contains(lab.name() + "x");
                assertThat(failure.actions()).isNotEmpty();
            });
        }
        assertThat(lab.record()).isEmpty();
    }

    // Its controller

    @Test
    void withoutAnyControllerNothingIsAwaitedAfterAMinuteAndOneIsSeenSoon() {
        // given
        lab.done(CREDENTIAL, PHASE);

        // then
        assertThat(lab.run(RUNNING)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForPlatformController");
            assertThat(waiting.after()).contains(Duration.ofSeconds(5));
        });
        assertThat(after(Duration.ofMinutes(1)))
                .isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                        .contains("no controller of the platform"));
    }

    @Test
    void whereThereIsOneItsPhaseIsAwaitedWithWhatItSays() {
        // given
        lab.done(CREDENTIAL, PHASE);
        status("conditions: [{type: EnsureCreateClusterMark, status: 'False', reason: Failed, message: no route}]");

        // then
        assertThat(after(Duration.ofHours(1))).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForPlatformRunning");
            assertThat(waiting.message()).contains("'Initializing'", "EnsureCreateClusterMark is False", "no route");
        });

        // when
        status("phase: Running");

        // then
        assertThat(lab.run(RUNNING)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void aControllerThatIsNotLetInSendsTheFlowBackToTheToken() {
        // given
        lab.done(CREDENTIAL, PHASE);
        status("phase: Failed\nconditions: [{type: HealthCheck, status: 'False', message: Unauthorized,"
                + " lastTransitionTime: '2020-01-01T00:00:00Z'}]");

        // then: it may be about a token before
        assertThat(lab.run(RUNNING)).isInstanceOf(Outcome.Waiting.class);
        goesBack(after(Duration.ofMinutes(1)), "EnsureSentryToken", "PlatformUnauthorized");

        // when
        status("conditions: [{type: HealthCheck, status: 'False', message: 'the server answered 401',"
                + " lastTransitionTime: '2099-01-01T00:00:00Z'}]");

        // then
        goesBack(lab.run(RUNNING), "EnsureSentryToken", "PlatformUnauthorized");
    }

    @Test
    void aRecordThatVanishedSendsTheFlowBack() {
        goesBack(lab.run(RUNNING), "EnsurePlatformCluster", "PlatformClusterMissing");
    }

    private Outcome after(Duration time) {
        Instant since = Instant.now();
        return lab.phase(RUNNING).run(lab.context(RUNNING, since, since.plus(time)));
    }

    private void record(String spec, String annotations) {
        lab.management()
                .create(
                        lab.recordsPath(),
                        ImportLab.yaml("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: {name: "
                                + lab.name() + ", annotations: {" + annotations + "}}\nspec: " + spec + "\n"));
    }

    private void status(String fields) {
        lab.management().merge(lab.recordPath() + "/status", ImportLab.yaml("status:\n" + fields.indent(2)));
    }

    /** By this phase, and by the one before it, which writes to credentials. */
    private void refused(String code, String text) {
        String version = version();
        for (String phase : List.of(CREDENTIAL, PHASE)) {
            assertThat(lab.run(phase)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
                assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                assertThat(blocked.code()).isEqualTo(code);
                assertThat(blocked.message()).contains(text);
            });
        }
        assertThat(version()).isEqualTo(version);
    }

    private String version() {
        return lab.credential(own).orElseThrow().at("/metadata/resourceVersion").asText();
    }

    private static void goesBack(Outcome outcome, String phase, String reason) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Back.class, back -> {
            assertThat(back.phase()).isEqualTo(phase);
            assertThat(back.reason()).isEqualTo(reason);
        });
    }

    private static long writes(Wire wire) {
        return wire.requests().stream()
                .filter(request -> !request.startsWith("GET "))
                .count();
    }
}
