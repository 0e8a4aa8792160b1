package dev.slipway.helm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.kubernetes.TestTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/** A real OCI registry with one chart, behind TLS of an authority of its own. */
final class OciRegistry implements AutoCloseable {

    private final TestTls.Identity authority;
    private final HttpsServer front;
    private final Process process;
    private final Path folder;
    private final String host;
    private final HttpClient client = HttpClient.newHttpClient();

    private OciRegistry(Path folder, Process process, String host) throws Exception {
        this.folder = folder;
        this.process = process;
        this.host = host;
        this.authority = TestTls.authority("Registry CA");
        this.front = TestTls.https(TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)), null, this::forward);
    }

    static OciRegistry start(String user, String password, String chart, String version) throws Exception {
        Path folder = Files.createTempDirectory("slipway-oci-");
        Path archive = folder.resolve(chart + "-" + version + ".tgz");
        Files.write(archive, ChartRepository.archive(chart, version, HelmLab.WEB));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                OciRegistryProcess.class.getName(),
                HelmLab.runtime().library().toString(),
                folder.toString(),
                user,
                password,
                archive.toString());
        builder.environment()
                .put("HELM_REGISTRY_CONFIG", folder.resolve("registry.json").toString());
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        Process process = builder.start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(folder.resolve("said")) || !process.isAlive());
        List<String> said = Files.readAllLines(folder.resolve("said"));
        if (said.subList(1, 4).stream().anyMatch(line -> !line.equals("null") && !line.isEmpty())) {
            throw new IllegalStateException("No registry: " + said);
        }
        return new OciRegistry(folder, process, said.get(0));
    }

    ChartSource source(String chart, String version, String user, String password) {
        return new ChartSource(
                "oci://127.0.0.1:" + front.getAddress().getPort() + "/charts",
                chart,
                version,
                new ChartAccess(user, password, authority.pem()));
    }

    @Override
    public void close() {
        front.stop(0);
        process.destroyForcibly();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    private void forward(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + host + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.noBody());
        for (String header : List.of("Authorization", "Accept")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            response.headers().map().forEach((name, values) -> {
                if (!name.equalsIgnoreCase("content-length") && !name.equalsIgnoreCase("transfer-encoding")) {
                    values.forEach(value -> exchange.getResponseHeaders().add(name, value));
                }
            });
            boolean head = exchange.getRequestMethod().equals("HEAD");
            if (head) {
                response.headers().firstValue("content-length").ifPresent(length -> exchange.getResponseHeaders()
                        .set("Content-Length", length));
            }
            exchange.sendResponseHeaders(
                    response.statusCode(), head || response.body().length == 0 ? -1 : response.body().length);
            if (!head) {
                exchange.getResponseBody().write(response.body());
            }
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
