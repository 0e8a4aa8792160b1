package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** How the console's files reach the browser; what they do there, their own tests say. */
class ConsoleIT extends WholeApplication {

    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void letsBrowsersKeepWhatIsNamedByItsContent() {
        // when
        Answer answer = rest.get("/assets/kept.txt");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Cache-Control"))
                .contains("max-age=31536000", "private", "immutable")
                .doesNotContain("no-store");
    }

    @Test
    void isAskedForThePageEachTime() {
        // when
        Answer answer = rest.get("/");

        // then
        assertThat(answer.header("Cache-Control")).contains("no-store");
    }

    @Test
    void isOpenBecauseItShowsTheSignIn() {
        // when
        Answer page = rest.getAnonymously("/");
        Answer file = rest.getAnonymously("/assets/kept.txt");

        // then
        // 404 where the page was not built.
        assertThat(page.status()).isIn(200, 404);
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'self'");
        assertThat(page.header("Set-Cookie")).isEmpty();
        assertThat(file.status()).isEqualTo(200);
    }

    @Test
    void compressesLargeAnswers() {
        // when
        Answer answer = rest.send(
                rest.request("/v3/api-docs").header("Accept-Encoding", "gzip").GET());

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
    }
}
