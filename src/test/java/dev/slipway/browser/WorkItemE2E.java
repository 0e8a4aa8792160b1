package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.Test;

/** A work item that waits, and what can be decided about it. */
class WorkItemE2E extends ConsoleCase {

    @Test
    void isFoundInTheListAndDecidedAboutOnItsPage() {
        // given
        workItem("web");
        Visit visit = signedIn(user("operators"))
                .open("#/work-items?namespace=" + namespace)
                .at("Work items");
        accessible(visit);

        // when
        visit.link(namespace + "/web").click();

        // then
        visit.at(namespace + "/web");
        accessible(visit);

        // when
        decide(visit, "Pause", "The cluster comes tomorrow");

        // then
        assertThat(visit.page().locator(".standing")).containsText("The cluster comes tomorrow");
        assertThat(visit.page().locator("main")).containsText("Paused");
    }
}
