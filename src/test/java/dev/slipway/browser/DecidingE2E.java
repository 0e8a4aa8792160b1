package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** A cluster that waits for a person, and people who decide. */
class DecidingE2E extends ConsoleCase {

    @Test
    void whatIsStuckIsCuredAndRetriedAndGoesOn() {
        // given
        blocked("stuck");
        Visit visit = signedIn("admin").open(page("stuck")).at(namespace + "/stuck");
        assertThat(visit.page().locator(".standing")).containsText("no-such-class");
        api.applyYaml(CLASS.replace("name: sandbox\n", "name: no-such-class\n"), namespace);

        // when
        decide(visit, "Retry", "The class is there now");

        // then
        assertThat(visit.page().locator(".timeline li").first()).containsText("Done");
        assertThat(visit.row("The class is there now")).containsText("admin");
    }

    @Test
    void ofTwoWhoDecideTheSameTheSecondIsToldWhoWasQuicker() {
        // given
        blocked("raced");
        String winner = user("operators");
        Visit quick = signedIn(winner).open(page("raced")).at(namespace + "/raced");
        Visit slow = signedIn(user("operators")).open(page("raced")).at(namespace + "/raced");
        openDecision(quick);
        openDecision(slow);

        // when
        choose(quick, "Retry", "first");
        assertThat(quick.dialog()).isHidden();
        choose(slow, "Abort the flow", "second");

        // then
        assertThat(slow.dialog().getByRole(AriaRole.ALERT)).containsText(winner + " decided RETRY");
    }
}
