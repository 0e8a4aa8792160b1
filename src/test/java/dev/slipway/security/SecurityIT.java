package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import java.net.http.HttpRequest;
import org.camunda.bpm.engine.IdentityService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Who may ask for what, on the running application. */
class SecurityIT extends WholeApplication {

    private static final String OWN_PASSWORD = "some password";

    private Rest rest;

    @Autowired
    private IdentityService identity;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/clusters",
                "/api/v1/flows/x",
                "/v3/api-docs",
                "/swagger-ui/index.html",
                "/actuator",
                "/actuator/metrics",
                "/engine-rest/engine",
                "/engine-rest/engine/default/process-instance",
                "/engine-rest/process-definition",
                "/engine-rest/",
                "/nothing"
            })
    void asksForCredentials(String path) {
        // when
        Answer answer = rest.getAnonymously(path);

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(answer.header("Set-Cookie")).isEmpty();
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().path("code").asText()).isEqualTo("NotSignedIn");
    }

    @Test
    void showsHowTheNodeDoesToThoseWhoAreSignedIn() {
        // when
        JsonNode parts = rest.get("/actuator/health").json().path("components");

        // then
        assertThat(parts.path("kernel").path("status").asText()).isEqualTo("UP");
        assertThat(parts.path("kernel").path("details").path("lastHeartbeat").asText())
                .isNotEmpty();
        assertThat(parts.path("watches").path("details").toString()).contains("WorkloadCluster");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void leavesHealthProbesOpenWithoutDetails(String path) {
        // when
        Answer answer = rest.getAnonymously(path);

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("status").asText()).isEqualTo("UP");
        assertThat(answer.json().has("components")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/clusters, 200",
        "/v3/api-docs, 200",
        "/actuator/metrics, 200",
        "/engine-rest/engine, 200",
        "/engine-rest/process-definition?maxResults=10, 200"
    })
    void letsTheAdministratorIn(String path, int status) {
        assertThat(rest.get(path).status()).isEqualTo(status);
    }

    @Test
    void answersWrongPasswordsAndUnknownUsersAlike() {
        // given
        user("forgetful");

        // when
        Answer wrong = rest.as("forgetful", "guess").get("/api/v1/clusters");
        Answer right = rest.as("forgetful", OWN_PASSWORD).get("/api/v1/session");
        Answer unknown = rest.as("nobody", "guess").get("/api/v1/clusters");

        // then
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(right.status()).as("one mistake locks nobody out").isEqualTo(200);
        assertThat(unknown.response().body()).isEqualTo(wrong.response().body());
    }

    @Test
    void letsAUserWithoutARoleSeeNothing() {
        // given
        user("stranger");

        // when
        Answer answer = as("stranger").get("/api/v1/clusters");

        // then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.json().path("code").asText()).isEqualTo("NoRole");
        assertThat(answer.json().path("remedy").asText()).contains("viewers");
        assertThat(as("stranger").get("/engine-rest/engine").status()).isEqualTo(403);
        assertThat(as("stranger").get("/api/v1/session").json().path("actions")).isEmpty();
    }

    @Test
    void letsAViewerReadAndNothingElse() {
        // given
        user("reader", "viewers");

        // when, then
        assertThat(as("reader").get("/api/v1/clusters").status()).isEqualTo(200);
        assertThat(as("reader")
                        .get("/engine-rest/process-definition?maxResults=10")
                        .json())
                .isNotEmpty();
        Answer change = as("reader").postNothing("/api/v1/clusters/a/b/retry");
        assertThat(change.status()).isEqualTo(403);
        assertThat(change.json().path("code").asText()).isEqualTo("NotAllowed");
        assertThat(change.json().path("remedy").asText()).contains("operators");
    }

    @Test
    void letsAnOperatorSeeAndChangeFlowsButNotDeploy() {
        // given
        user("operator", "operators");

        // when, then
        assertThat(as("operator")
                        .get("/engine-rest/process-definition?maxResults=10")
                        .json())
                .isNotEmpty();
        Answer change = as("operator").postNothing("/api/v1/clusters/default/none/retry");
        assertThat(change.status()).isEqualTo(404);
        assertThat(as("operator").get("/actuator/metrics").status()).isEqualTo(403);
        Answer deployment = rest.send(
                as("operator")
                        .request("/engine-rest/deployment/create")
                        .header("Content-Type", "multipart/form-data; boundary=x")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "--x\r\nContent-Disposition: form-data; name=\"deployment-name\"\r\n\r\nd\r\n--x\r\n"
                                                + "Content-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\ntext\r\n--x--\r\n")));
        assertThat(deployment.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Sec-Fetch-Site, same-origin, 404",
        "Origin, https://evil.example, 403",
        "Origin, null, 403"
    })
    void refusesChangesThatAnotherSiteAsksFor(String header, String value, int status) {
        // when
        Answer answer = rest.postNothing("/api/v1/clusters/default/none/retry", header, value);

        // then
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void refusesChangesOfTheEngineThatAnotherSiteAsksFor() {
        // when
        Answer answer = rest.postNothing("/engine-rest/task/any/complete", "Sec-Fetch-Site", "cross-site");

        // then
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.json().path("code").asText()).isEqualTo("CrossSite");
    }

    @Test
    void sendsHeadersThatKeepPagesToThemselves() {
        // when
        Answer answer = rest.get("/api/v1/clusters");

        // then
        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Permissions-Policy")).contains("camera=()");
        assertThat(answer.header("Strict-Transport-Security"))
                .as("says nothing without TLS")
                .isEmpty();
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/swagger-ui/index.html", "/v3/api-docs", "/nothing"})
    void allowsNoInlineScriptOnAnyPage(String path) {
        assertThat(rest.get(path).header("Content-Security-Policy"))
                .contains("default-src 'self'")
                .doesNotContain("unsafe");
    }

    @Test
    void slowsDownWhoGuessesAndSaysForHowLong() {
        // given
        user("guessed", "viewers");
        Rest guesser = rest.as("guessed", "guess");

        // when
        Answer last = null;
        for (int i = 0; i < 11; i++) {
            last = guesser.get("/api/v1/clusters");
        }

        // then
        assertThat(last.status()).isEqualTo(429);
        assertThat(last.json().path("code").asText()).isEqualTo("TooManyAttempts");
        assertThat(Integer.parseInt(last.header("Retry-After"))).isBetween(1, 60);
        assertThat(as("guessed").get("/api/v1/clusters").status())
                .as("from this address, which never had the right password")
                .isEqualTo(429);
        assertThat(rest.get("/api/v1/clusters").status()).as("others").isEqualTo(200);
    }

    @Test
    void notesFailuresAndRefusalsButNotWhatWasTyped() {
        // given
        user("noted", "viewers");

        // when
        rest.as("noted", "guess").get("/api/v1/clusters");
        rest.as("my secret password", "x").get("/api/v1/clusters");
        as("noted").postNothing("/api/v1/clusters/a/b/retry");
        as("noted").postNothing("/api/v1/clusters/a/b/retry");

        // then
        JsonNode failure =
                rest.get("/api/v1/audit?by=noted&action=SIGN_IN").json().path("items");
        assertThat(failure).hasSize(1);
        assertThat(failure.path(0).path("result").asText()).isEqualTo("REFUSED");
        assertThat(failure.path(0).path("via").asText()).isEqualTo("basic");
        assertThat(failure.path(0).path("address").asText()).isEqualTo("127.0.0.1");
        JsonNode refusals =
                rest.get("/api/v1/audit?by=noted&action=REFUSAL").json().path("items");
        assertThat(refusals).hasSize(1);
        assertThat(refusals.toString()).contains("POST /api/v1/clusters/a/b/retry");
        assertThat(rest.get("/api/v1/audit?limit=50").response().body()).doesNotContain("my secret password");
    }

    private Rest as(String user) {
        return rest.as(user, OWN_PASSWORD);
    }

    private void user(String name, String... groups) {
        var user = identity.newUser(name);
        user.setPassword(OWN_PASSWORD);
        identity.saveUser(user);
        for (String group : groups) {
            identity.createMembership(name, group);
        }
    }
}
