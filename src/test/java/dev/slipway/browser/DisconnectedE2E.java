package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.Test;

/** A window whose connection is lost for a while. */
class DisconnectedE2E extends ConsoleCase {

    @Test
    void keepsWhatItShowsSaysHowOldThatIsAndRecovers() {
        // given
        blocked("kept");
        Visit visit = signedIn("admin").open("#/?namespace=" + namespace).at("Clusters");
        assertThat(visit.row("kept")).isVisible();
        visit.expect("ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_CONNECTION");

        // when
        visit.context().setOffline(true);

        // then
        assertThat(visit.page().locator(".connection")).containsText("Not connected: what you see is");
        assertThat(visit.row("kept")).isVisible();

        // when
        visit.context().setOffline(false);

        // then
        assertThat(visit.page().locator(".connection")).containsText("Live");
    }
}
