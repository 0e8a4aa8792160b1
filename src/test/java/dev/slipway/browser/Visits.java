package dev.slipway.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Tracing;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The visits of one test, each as of a person of its own: no cookie and nothing kept is shared. */
final class Visits {

    static final Visits NONE = new Visits(null);

    private static final Path FOLDER = Path.of("target", "browser");
    private static final int PATIENCE_MILLIS = 20_000;

    private final Browser browser;
    private final List<Visit> all = new ArrayList<>();

    Visits(Browser browser) {
        this.browser = browser;
    }

    /** Opens a window at that server, in English and light. */
    Visit begin(int port) {
        return begin(port, new Browser.NewContextOptions());
    }

    /** The same with other wishes of the browser's. */
    Visit begin(int port, Browser.NewContextOptions options) {
        if (options.locale == null) {
            options.setLocale("en");
        }
        if (options.colorScheme == null) {
            options.setColorScheme(ColorScheme.LIGHT);
        }
        BrowserContext context = browser.newContext(options.setViewportSize(1440, 900)
                .setReducedMotion(ReducedMotion.REDUCE)
                .setBaseURL("http://127.0.0.1:" + port));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        context.tracing().start(new Tracing.StartOptions().setSnapshots(true));
        Visit visit = new Visit(context);
        all.add(visit);
        return visit;
    }

    /** Ends all; keeps what they saw if the test failed, fails it if a page reported an error. */
    void end(String test, boolean failed) {
        List<String> errors =
                all.stream().flatMap(visit -> visit.errors().stream()).toList();
        boolean keep = failed || !errors.isEmpty();
        for (Visit visit : all) {
            BrowserContext context = visit.context();
            if (keep) {
                String name = test + "-" + (all.indexOf(visit) + 1);
                visit.page().screenshot(new Page.ScreenshotOptions().setPath(FOLDER.resolve(name + ".png")));
                context.tracing().stop(new Tracing.StopOptions().setPath(FOLDER.resolve(name + ".zip")));
            }
            context.close();
        }
        if (!failed && !errors.isEmpty()) {
            throw new AssertionError("A page reported: " + String.join("; ", errors));
        }
    }
}
