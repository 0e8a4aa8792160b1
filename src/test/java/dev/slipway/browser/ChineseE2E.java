package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.Test;

/** A browser that prefers Chinese and the dark. */
class ChineseE2E extends ConsoleCase {

    @Test
    void speaksChineseInTheDark() {
        // given
        blocked("shown");
        Browser.NewContextOptions wishes =
                new Browser.NewContextOptions().setLocale("zh-CN").setColorScheme(ColorScheme.DARK);

        // when
        Visit visit =
                signedIn("admin", wishes).open("#/?namespace=" + namespace).at("集群");

        // then
        assertThat(visit.row("shown")).containsText("卡住");
        assertThat(visit.page().locator("html")).hasAttribute("lang", "zh-Hans");
        assertThat(visit.page().locator("html")).hasCSS("color-scheme", "dark");
        accessible(visit);
        accessible(visit.open(page("shown")).at(namespace + "/shown"));
    }
}
