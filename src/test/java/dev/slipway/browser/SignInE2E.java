package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Signing in and out, and sessions that end. */
class SignInE2E extends ConsoleCase {

    @Test
    void aWrongPasswordIsToldAndTheRightOneLeadsToWhereOneWanted() {
        // given
        String name = user("operators");
        Visit visit = CHROMIUM.visits().begin(port()).open("#/stuck").at("Sign in to Slipway");
        accessible(visit);

        // when
        visit.labelled("Name").fill(name);
        signIn(visit.page().locator("main"), "a guess");

        // then
        assertThat(visit.page().getByRole(AriaRole.ALERT).first()).containsText("Name and password do not match.");

        // when
        signIn(visit.page().locator("main"), PASSWORD);

        // then
        visit.at("Stuck");

        // when
        visit.button("Account " + name).click();
        assertThat(visit.page().locator(".user-panel")).containsText("operator");
        accessible(visit);
        visit.button("Sign out").click();

        // then
        visit.at("Sign in to Slipway");
        Assertions.assertThat(visit.context().request().get("/api/v1/clusters").status())
                .isEqualTo(401);
    }

    @Test
    void whatWasTypedOutlivesTheSession() {
        // given
        blocked("typed");
        Visit visit = signedIn(user("operators")).open(page("typed")).at(namespace + "/typed");
        visit.page().locator(".standing button").first().click();
        visit.dialog().locator("input[name=reason]").fill("The class comes tomorrow");
        visit.dialog()
                .getByText("Pause", new Locator.GetByTextOptions().setExact(true))
                .click();

        // when
        visit.context().clearCookies();
        // Not a click: the question may have come by then, from a call of the page's own.
        visit.dialog().first().locator("form").evaluate("form => form.requestSubmit()");

        // then
        Locator again = visit.dialog().last();
        assertThat(again).containsText("Your session has ended");

        // when
        signIn(again, PASSWORD);
        visit.dialog().locator("button[type=submit]").click();

        // then
        assertThat(visit.dialog()).isHidden();
        assertThat(visit.page().locator(".standing")).containsText("The class comes tomorrow");
    }

    private static void signIn(Locator place, String password) {
        place.locator("input[type=password]").fill(password);
        place.locator("button[type=submit]").click();
    }
}
