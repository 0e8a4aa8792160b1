package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** People of a provider of OpenID Connect, who are no users of the engine. */
class SingleSignOnIT extends WholeApplication {

    @LocalServerPort
    private int port;

    private Browser browser;

    @BeforeEach
    void openABrowser() {
        browser = new Browser(port);
    }

    @Test
    void offersTheProviders() {
        // when
        JsonNode options = browser.get("/api/v1/sign-in").json();

        // then
        assertThat(options.path("password").asBoolean()).isTrue();
        assertThat(options.path("providers").path(0).path("id").asText()).isEqualTo("corp");
        assertThat(options.path("providers").path(0).path("title").asText()).isEqualTo("Corporate");
        assertThat(options.path("providers").path(0).path("href").asText()).isEqualTo("/oauth2/authorization/corp");
    }

    @Test
    void signsInToConsoleAndCockpitAndComesBackToWhereOneWas() {
        // given
        identityProvider().nextIs("grace", "fleet-ops", "something-else");

        // when
        Answer back = signIn("/oauth2/authorization/corp?to=/camunda/app/cockpit/default/");

        // then
        assertThat(back.header("Location")).endsWith("/camunda/app/cockpit/default/");
        JsonNode session = browser.session().json();
        assertThat(session.path("name").asText()).isEqualTo("oidc:grace");
        assertThat(session.path("displayName").asText()).isEqualTo("grace of the provider");
        assertThat(session.path("via").asText()).isEqualTo("oidc");
        assertThat(session.path("roles").toString()).isEqualTo("[\"operator\"]");
        assertThat(browser.open("/camunda/app/cockpit/default/").status()).isEqualTo(200);
        assertThat(browser.get("/camunda/api/engine/engine/default/process-definition?maxResults=5")
                        .json())
                .as("the engine's authorizations of the group")
                .isNotEmpty();
        assertThat(browser.post("/api/v1/clusters/default/none/retry", JsonNodeFactory.instance.objectNode())
                        .status())
                .as("no such cluster")
                .isEqualTo(404);
        JsonNode audit = new Rest(port, "admin", PASSWORD)
                .get("/api/v1/audit?by=oidc:grace&action=SIGN_IN")
                .json();
        assertThat(audit.path("items").path(0).path("via").asText()).isEqualTo("oidc");
    }

    @Test
    void letsWhoIsInNoGroupSeeNothing() {
        // given
        identityProvider().nextIs("stranger", "something-else");

        // when
        signIn("/oauth2/authorization/corp");

        // then
        assertThat(browser.session().json().path("roles")).isEmpty();
        assertThat(browser.get("/api/v1/clusters").json().path("code").asText()).isEqualTo("NoRole");
        assertThat(browser.open("/camunda/app/cockpit/default/").status()).isEqualTo(403);
    }

    @Test
    void signsOutAtTheProviderAsWell() {
        // given
        identityProvider().nextIs("grace", "everybody");
        signIn("/oauth2/authorization/corp");
        browser.session();

        // when
        Answer answer = browser.delete("/api/v1/session");

        // then
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Location"))
                .startsWith(identityProvider().url() + "/endsession?id_token_hint=")
                .contains("post_logout_redirect_uri=http");
        assertThat(browser.get("/api/v1/session").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({"//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"})
    void comesBackToNoOtherSite(String wanted) {
        // given
        identityProvider().nextIs("grace", "everybody");

        // when
        Answer back = signIn("/oauth2/authorization/corp?to="
                + java.net.URLEncoder.encode(wanted, java.nio.charset.StandardCharsets.UTF_8));

        // then
        assertThat(back.header("Location")).matches("(http://127\\.0\\.0\\.1:" + port + ")?/");
    }

    @Test
    void refusesAnAnswerThatNobodyAskedFor() {
        // when
        Answer answer = browser.get("/login/oauth2/code/corp?code=stolen&state=guessed");

        // then
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).endsWith("/#/sign-in?error=provider");
        assertThat(browser.get("/api/v1/session").status()).isEqualTo(401);
    }

    @Test
    void saysThatAProviderIsDown() {
        // when
        Answer answer = browser.open("/oauth2/authorization/down");

        // then
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).endsWith("/#/sign-in?error=provider");
    }

    /** Follows the browser's way to the provider and back, up to where it is sent then. */
    private Answer signIn(String start) {
        Answer away = browser.open(start);
        assertThat(away.status()).isEqualTo(302);
        assertThat(away.header("Location")).startsWith(identityProvider().url()).contains("code_challenge=");
        Answer there = browser.open(away.header("Location"));
        assertThat(there.status()).isEqualTo(302);
        Answer back = browser.open(there.header("Location"));
        assertThat(back.status()).isEqualTo(302);
        return back;
    }
}
