package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import java.net.http.HttpRequest;
import java.util.UUID;
import org.camunda.bpm.engine.IdentityService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Sessions of browsers on the running application. */
class SessionIT extends WholeApplication {

    private static final String OWN_PASSWORD = "some password";
    private static final String CHANGE = "/api/v1/clusters/default/none/retry";

    @LocalServerPort
    private int port;

    @Autowired
    private IdentityService identity;

    private Browser browser;
    private String ada;

    @BeforeEach
    void openABrowser() {
        browser = new Browser(port);
        ada = "ada" + UUID.randomUUID().toString().substring(0, 8);
        var user = identity.newUser(ada);
        user.setFirstName("Ada");
        user.setLastName("Lovelace");
        user.setPassword(OWN_PASSWORD);
        identity.saveUser(user);
        identity.createMembership(ada, "operators");
    }

    @Test
    void signsInAndSaysWhoAndWhatIsAllowed() {
        // when
        Answer answer = browser.signIn(ada, OWN_PASSWORD);

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("name").asText()).isEqualTo(ada);
        assertThat(answer.json().path("displayName").asText()).isEqualTo("Ada Lovelace");
        assertThat(answer.json().path("roles").toString()).isEqualTo("[\"operator\"]");
        assertThat(answer.json().path("actions").toString()).isEqualTo("[\"READ\",\"CREATE\",\"OPERATE\",\"DELETE\"]");
        assertThat(answer.json().path("via").asText()).isEqualTo("session");
        assertThat(answer.json().path("csrf").path("header").asText()).isEqualTo("X-CSRF-Token");
        assertThat(answer.json().path("expiresAt").asText()).isNotEmpty();
        assertThat(answer.header("Set-Cookie"))
                .startsWith("slipway-session=")
                .contains("HttpOnly", "SameSite=Lax", "Path=/")
                .doesNotContain("Secure");
        assertThat(browser.get("/api/v1/clusters").status()).isEqualTo(200);
    }

    @Test
    void marksTheCookieAsSecureBehindTls() {
        // when
        Answer answer = browser.send(browser.request("/api/v1/session")
                .header("X-Forwarded-Proto", "https")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"name\":\"" + ada + "\",\"password\":\"" + OWN_PASSWORD + "\"}")));

        // then
        assertThat(answer.header("Set-Cookie")).contains("Secure");
        assertThat(answer.header("Strict-Transport-Security")).contains("max-age=");
    }

    @Test
    void asksScriptsOfABrowserForNothing() {
        // when
        Answer answer = browser.get("/api/v1/session", "Sec-Fetch-Mode", "cors");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).isEmpty();
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }

    @Test
    void sendsWhoOpensAPageToTheSignInAndBack() {
        // when
        Answer swagger = browser.open("/swagger-ui/index.html?x=1");
        Answer cockpit = browser.open("/camunda/app/cockpit/default/");

        // then
        assertThat(swagger.status()).isEqualTo(302);
        assertThat(swagger.header("Location")).endsWith("/#/sign-in?to=%2Fswagger-ui%2Findex.html%3Fx%3D1");
        assertThat(cockpit.header("Location")).endsWith("/#/sign-in?to=%2Fcamunda%2Fapp%2Fcockpit%2Fdefault%2F");
    }

    @Test
    void refusesAWrongPasswordWithoutASession() {
        // when
        Answer answer = browser.signIn(ada, "guess");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.json().path("code").asText()).isEqualTo("NotSignedIn");
        assertThat(browser.cookie()).isEmpty();
    }

    @Test
    void takesANewSessionForEachSignIn() {
        // given
        browser.signIn(ada, OWN_PASSWORD);
        String before = browser.cookie();

        // when
        browser.signIn(ada, OWN_PASSWORD);

        // then
        assertThat(browser.cookie()).isNotEmpty().isNotEqualTo(before);
        Answer old = new Browser(port).get("/api/v1/session", "Cookie", "slipway-session=" + before);
        assertThat(old.status()).isEqualTo(401);
    }

    @Test
    void refusesChangesWithoutTheToken() {
        // given
        browser.signIn(ada, OWN_PASSWORD);
        Browser other = new Browser(port);
        other.signIn(ada, OWN_PASSWORD);
        String othersToken = other.session().json().path("csrf").path("token").asText();

        // when
        Answer right = browser.post(CHANGE, JsonNodeFactory.instance.objectNode());
        Answer none = browser.withToken("").post(CHANGE, JsonNodeFactory.instance.objectNode());
        Answer wrong = browser.withToken(othersToken).post(CHANGE, JsonNodeFactory.instance.objectNode());

        // then
        assertThat(right.status()).as("no such cluster").isEqualTo(404);
        assertThat(none.status()).isEqualTo(403);
        assertThat(none.json().path("code").asText()).isEqualTo("CsrfInvalid");
        assertThat(wrong.json().path("code").asText()).isEqualTo("CsrfInvalid");
    }

    @Test
    void signsOut() {
        // given
        browser.signIn(ada, OWN_PASSWORD);

        // when
        Answer answer = browser.delete("/api/v1/session");

        // then
        assertThat(answer.status()).isEqualTo(204);
        assertThat(browser.get("/api/v1/session").status()).isEqualTo(401);
    }

    @Test
    void opensCockpitWithoutASecondSignIn() {
        // given
        browser.signIn(ada, OWN_PASSWORD);

        // when
        Answer page = browser.open("/camunda/app/cockpit/default/");
        Answer who = browser.get("/camunda/api/admin/auth/user/default");
        Answer data = browser.get("/camunda/api/engine/engine/default/process-definition?maxResults=5");
        Answer admin = browser.open("/camunda/app/admin/default/");

        // then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy")).isNotEmpty();
        assertThat(who.json().path("userId").asText()).isEqualTo(ada);
        assertThat(who.json().path("authorizedApps").toString())
                .contains("cockpit")
                .doesNotContain("admin");
        assertThat(data.json()).isNotEmpty();
        assertThat(admin.status()).isIn(200, 302, 403);
        assertThat(browser.session().status()).isEqualTo(200);
    }

    @Test
    void endsTheSessionWithCockpitsSignOut() {
        // given
        browser.signIn(ada, OWN_PASSWORD);
        browser.open("/camunda/app/cockpit/default/");

        // when
        Answer answer =
                browser.post("/camunda/api/admin/auth/user/default/logout", JsonNodeFactory.instance.objectNode());

        // then
        assertThat(answer.status()).isEqualTo(204);
        assertThat(browser.get("/api/v1/session").status()).isEqualTo(401);
        assertThat(browser.get("/camunda/api/admin/auth/user/default").status()).isEqualTo(401);
    }

    @Test
    void leavesNoSecondWayToGuessPasswords() {
        // given
        browser.signIn(ada, OWN_PASSWORD);

        // when
        Answer answer = browser.send(browser.request("/camunda/api/admin/auth/user/default/login/cockpit")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("username=admin&password=" + PASSWORD)));

        // then
        assertThat(answer.status()).isEqualTo(401);
    }

    @Test
    void takesARightAwayWhileTheSessionGoesOn() {
        // given
        browser.signIn(ada, OWN_PASSWORD);
        identity.deleteMembership(ada, "operators");
        identity.createMembership(ada, "viewers");

        // when, then
        await().untilAsserted(() ->
                assertThat(browser.session().json().path("roles").toString()).isEqualTo("[\"viewer\"]"));
        assertThat(browser.post(CHANGE, JsonNodeFactory.instance.objectNode()).status())
                .isEqualTo(403);
    }

    @Test
    void endsWhenThePasswordIsChanged() {
        // given
        browser.signIn(ada, OWN_PASSWORD);
        assertThat(browser.session().status()).isEqualTo(200);
        var user = identity.createUserQuery().userId(ada).singleResult();
        user.setPassword("another password");
        identity.saveUser(user);

        // when, then
        await().untilAsserted(() -> assertThat(browser.session().status()).isEqualTo(401));
    }

    @Test
    void beginsNoSessionForPrograms() {
        // when
        Answer answer = new Rest(port, ada, OWN_PASSWORD).get("/api/v1/session");

        // then
        assertThat(answer.json().path("via").asText()).isEqualTo("basic");
        assertThat(answer.json().has("csrf")).isFalse();
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }
}
