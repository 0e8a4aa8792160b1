package dev.slipway;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Slipway in a JVM of its own, which a test may kill by force. */
public final class SlipwayProcess implements AutoCloseable {

    private static final String PASSWORD = "only-in-tests";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int LOG_LINES = 40;

    private final Process process;
    private final int port;
    private final Path log;
    private final HttpClient http = HttpClient.newHttpClient();

    private SlipwayProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Starts it and waits until it answers.
     *
     * @param folder for its data and its log
     * @param settings further settings, {@code name=value}
     */
    static SlipwayProcess start(Path folder, Path kubeconfig, List<String> settings) throws IOException {
        SlipwayProcess slipway = launch(folder, kubeconfig, settings);
        slipway.awaitAnswer();
        return slipway;
    }

    /** Starts it without waiting. */
    public static SlipwayProcess launch(Path folder, Path kubeconfig, List<String> settings) throws IOException {
        int port = freePort();
        Path log = folder.resolve("slipway.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.slipway.Slipway",
                "--server.port=" + port,
                "--slipway.data-directory=" + folder.resolve("data"),
                "--slipway.kubernetes.kubeconfig=" + kubeconfig,
                "--slipway.security.admin-password=" + PASSWORD,
                "--slipway.node.id=crash-test"));
        settings.forEach(setting -> command.add("--" + setting));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new SlipwayProcess(process, port, log);
    }

    /** Waits until it answers. */
    public void awaitAnswer() throws IOException {
        await("Slipway answers")
                .atMost(PATIENCE)
                .until(() -> !alive() || get("/api/v1/clusters").isPresent());
        if (!alive()) {
            List<String> lines = Files.readAllLines(log);
            throw new IllegalStateException("Slipway ended at start:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())));
        }
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** The processor time that it has used. */
    public Duration processorTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The most memory that it had at a time, as the kernel counts it; empty where that is not told. */
    public String peakMemory() {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .map(line -> line.substring("VmHWM:".length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /** The answer of a GET with status 200; empty for anything else. */
    public Optional<JsonNode> get(String path) {
        String login = Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Basic " + login)
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200
                    ? Optional.of(new ObjectMapper().readTree(answer.body()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it as a pod ends: it may finish what it does. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            kill();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
