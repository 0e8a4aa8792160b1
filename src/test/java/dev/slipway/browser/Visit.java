package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One person before one window. */
final class Visit {

    /** The API's own refusals are part of what is tested; the browser reports each as an error. */
    private static final Pattern REFUSED_CALL =
            Pattern.compile("Failed to load resource: the server responded with a status of 4\\d\\d.*");

    private static final Path AXE = Path.of("web", "node_modules", "axe-core", "axe.min.js");
    private static final String VIOLATIONS =
            """
            async () => {
              const { violations } = await window.axe.run({ exclude: ['.djs-container'] }, { resultTypes: ['violations'] });
              return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target.join(' ')).join('; ')}`);
            }""";

    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new ArrayList<>();
    private final List<Pattern> expected = new ArrayList<>();

    Visit(BrowserContext context) {
        this.context = context;
        this.page = context.newPage();
        page.onConsoleMessage(this::heard);
        page.onPageError(errors::add);
    }

    BrowserContext context() {
        return context;
    }

    Page page() {
        return page;
    }

    List<String> errors() {
        return errors.stream()
                .filter(error ->
                        expected.stream().noneMatch(one -> one.matcher(error).find()))
                .toList();
    }

    /** This test brings errors of that kind about. */
    void expect(String pattern) {
        expected.add(Pattern.compile(pattern));
    }

    private void heard(ConsoleMessage message) {
        if (message.location().contains("/camunda/")) {
            // The engine's webapps report their own.
            return;
        }
        boolean refusal = REFUSED_CALL.matcher(message.text()).matches()
                && message.location().contains("/api/");
        if (message.type().equals("error") && !refusal) {
            errors.add(message.text() + " at " + message.location());
        }
    }

    /** Goes to a page of the console. */
    Visit open(String hash) {
        page.navigate("/" + hash);
        return this;
    }

    /** Waits until a heading of that text is there. */
    Visit at(String heading) {
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(heading))
                        .first())
                .isVisible();
        return this;
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    Locator link(String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    /** The dialog in front. */
    Locator dialog() {
        return page.getByRole(AriaRole.DIALOG);
    }

    Locator labelled(String label) {
        return page.getByLabel(label);
    }

    /** The row of a cluster, or of a work item, in a list. */
    Locator row(String text) {
        return page.locator("tr", new Page.LocatorOptions().setHasText(text));
    }

    /** The row whose heading is just that. */
    Locator rowOf(String heading) {
        return page.locator(
                "tr", new Page.LocatorOptions().setHas(page.getByRole(AriaRole.ROWHEADER, exactly(heading))));
    }

    private static Page.GetByRoleOptions exactly(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    /** Waits, for as long as a cluster takes to change, until that text is seen there. */
    static void awaits(Locator place, String text) {
        assertThat(place).containsText(text, new LocatorAssertions.ContainsTextOptions().setTimeout(90_000));
    }

    /** What stands in the way of people who see, hear or move differently; texts within bpmn-js's drawing are its own. */
    List<String> barriers() {
        assumeTrue(Files.exists(AXE), "No axe: run npm ci in web/");
        try {
            if (page.evaluate("() => typeof window.axe").equals("undefined")) {
                page.evaluate(Files.readString(AXE));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ((List<?>) page.evaluate(VIOLATIONS))
                .stream().map(String::valueOf).toList();
    }
}
