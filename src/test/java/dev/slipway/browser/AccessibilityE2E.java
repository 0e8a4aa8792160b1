package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every page, light and dark: nothing stands in the way of people who see, hear or move differently. */
class AccessibilityE2E extends ConsoleCase {

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void noPageHasABarrier(ColorScheme theme) {
        // given
        blocked("barred");
        Visit visit = signedIn("admin", new Browser.NewContextOptions().setColorScheme(theme));

        // then
        accessible(visit.open("#/").at("Clusters"));
        visit.open(page("barred")).at(namespace + "/barred");
        assertThat(visit.page().locator(".djs-container svg").first()).isVisible();
        accessible(visit);
        visit.page().locator(".standing button").first().click();
        accessible(visit);
        visit.dialog().press("Escape");
        visit.button("Delete… the cluster barred").click();
        assertThat(visit.dialog()).containsText("management cluster");
        accessible(visit);
        visit.dialog().press("Escape");
        accessible(visit.open("#/create").at("Create a cluster"));
        accessible(visit.open("#/stuck").at("Stuck"));
        accessible(visit.open("#/work-items").at("Work items"));
        accessible(visit.open("#/statistics").at("Statistics"));
        accessible(visit.open("#/receipts").at("Receipts"));
        accessible(visit.open("#/audit").at("Audit"));
        accessible(visit.open("#/nowhere").at("There is no such page."));
    }
}
