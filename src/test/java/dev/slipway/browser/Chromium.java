package dev.slipway.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Chromium of this machine, one for all tests; each test has visits of its own, which share nothing.
 *
 * <p>A test fails if a page of it reported an error: a script's, one of the console, a violation of the content security
 * policy. What a failed test saw stays in {@code target/browser}: a picture and a trace of each visit.
 */
final class Chromium implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {

    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private Visits visits = Visits.NONE;

    /** Playwright and its browser, closed when all tests are over. */
    private record Running(Playwright playwright, Browser browser) implements ExtensionContext.Store.CloseableResource {

        @Override
        public void close() {
            playwright.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        assumeTrue(
                getClass().getResource("/static/index.html") != null,
                "No browser tests: the console is not built; run npm run build in web/");
        running(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        visits = new Visits(running(context).browser());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        visits.end(
                context.getRequiredTestClass().getSimpleName() + "."
                        + context.getRequiredTestMethod().getName(),
                context.getExecutionException().isPresent());
    }

    /** The visits of the running test. */
    Visits visits() {
        return visits;
    }

    private static Running running(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Chromium.class))
                .getOrComputeIfAbsent("running", key -> start(), Running.class);
    }

    private static Running start() {
        Optional<Path> chromium = Optional.ofNullable(System.getenv("CHROMIUM"))
                .map(Path::of)
                .or(() -> NAMES.stream().flatMap(Chromium::onThePath).findFirst());
        assumeTrue(chromium.isPresent(), "No browser tests: there is no Chromium on the PATH, and CHROMIUM names none");
        Optional<Path> node = onThePath("node").findFirst();
        assumeTrue(node.isPresent(), "No browser tests: there is no node on the PATH");
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PLAYWRIGHT_NODEJS_PATH", node.get().toString());
        environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium.get())
                        .setArgs(FLAGS));
        return new Running(playwright, browser);
    }

    private static Stream<Path> onThePath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable);
    }
}
