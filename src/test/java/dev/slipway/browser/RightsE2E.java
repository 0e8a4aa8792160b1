package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What people see who may not do everything, and who leave the console. */
class RightsE2E extends ConsoleCase {

    private static final String FORCED =
            """
            async (path) => {
              const { csrf } = await (await fetch('/api/v1/session')).json();
              const headers = { 'Content-Type': 'application/json', [csrf.header]: csrf.token };
              const answer = await fetch(path, { method: 'POST', headers, body: '{"choice": "RETRY"}' });
              return `${answer.status} ${(await answer.json()).code}`;
            }""";

    @Test
    void aViewerReadsWhyAButtonDoesNothingAndIsRefusedWhenItIsForced() {
        // given
        blocked("shown");
        Visit visit = signedIn(user("viewers")).open(page("shown")).at(namespace + "/shown");

        // then
        for (String name : new String[] {"Decide…", "Delete…", "Retry"}) {
            Locator button = visit.button(name).first();
            assertThat(button).isDisabled();
            assertThat(button).hasAccessibleDescription("needs the role operator");
            button.dispatchEvent("click");
        }
        assertThat(visit.dialog()).hasCount(0);
        accessible(visit);
        Assertions.assertThat(visit.page().evaluate(FORCED, "/api/v1/clusters/" + namespace + "/shown/decisions"))
                .isEqualTo("403 NotAllowed");
    }

    @Test
    void cockpitOpensWithoutASecondSignIn() {
        // given
        blocked("deep");
        Visit visit = signedIn("admin").open(page("deep")).at(namespace + "/deep");

        // when
        visit.link("Show in Cockpit").first().click();

        // then
        Visit.awaits(visit.page().locator("body"), "init");
        assertThat(visit.page().locator("input[type=password]")).hasCount(0);
        assertThat(visit.page().locator("[data-element-id=phase_admit]").first())
                .isVisible();
    }
}
