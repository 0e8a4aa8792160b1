package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;

/** The list of clusters: search, filters, keyboard, and changes as they happen. */
class FleetE2E extends ConsoleCase {

    @Test
    void findsFiltersAndIsWalkedWithTheKeyboard() {
        // given
        blocked("alpha");
        blocked("beta");
        Visit visit = signedIn("admin").open("#/?namespace=" + namespace).at("Clusters");
        assertThat(visit.row(namespace)).hasCount(2);

        // when
        visit.labelled("Search").fill("bet");

        // then
        assertThat(visit.row(namespace)).hasCount(1);
        assertThat(visit.row("beta")).containsText("Stuck");

        // when
        visit.labelled("Search").fill("");
        visit.page()
                .locator(".states .state", new Page.LocatorOptions().setHasText("Stuck"))
                .click();
        assertThat(visit.row(namespace)).hasCount(2);
        Locator first = visit.page().locator("tr[data-row='0'] a");
        first.focus();
        first.press("ArrowDown");
        visit.page().locator("tr[data-row='1'] a:focus").press("Enter");

        // then
        visit.at(namespace + "/");
    }
}
