package dev.slipway.helm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.kubernetes.TestTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** A real chart repository over HTTPS with an authority of its own, and Basic authentication if wanted. */
public final class ChartRepository implements AutoCloseable {

    private final TestTls.Identity authority;
    private final HttpsServer server;
    private final String login;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Map<String, String> entries = new TreeMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int refusing;

    private ChartRepository(String login, int port) throws Exception {
        this.login = login;
        this.authority = TestTls.authority("Charts CA");
        TestTls.Identity serving = TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1));
        this.server = TestTls.https(serving, null, this::handle, port);
    }

    public static ChartRepository open() throws Exception {
        return new ChartRepository("", 0);
    }

    /** On that port. */
    public static ChartRepository at(int port) throws Exception {
        return new ChartRepository("", port);
    }

    public static ChartRepository protectedBy(String user, String password) throws Exception {
        return new ChartRepository(user + ":" + password, 0);
    }

    /** Publishes a chart of these files, for example {@code templates/web.yaml}. */
    public ChartRepository with(String name, String version, Map<String, String> content) {
        String file = name + "-" + version + ".tgz";
        files.put("/" + file, archive(name, version, content));
        entries.merge(
                name,
                "  - apiVersion: v2\n    name: " + name + "\n    version: " + version + "\n    urls: [" + file + "]\n",
                (before, more) -> more + before);
        StringBuilder index = new StringBuilder("apiVersion: v1\nentries:\n");
        entries.forEach((chart, versions) ->
                index.append("  ").append(chart).append(":\n").append(versions));
        files.put("/index.yaml", index.toString().getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Answers everything with that code from now on; 0 for no longer. */
    public void refuseWith(int code) {
        refusing = code;
    }

    public String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    public String authorityPem() {
        return authority.pem();
    }

    public List<String> requests() {
        return List.copyOf(requests);
    }

    ChartSource source(String chart, String version) {
        return new ChartSource(url(), chart, version, new ChartAccess("", "", authorityPem()));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** A packaged chart. */
    static byte[] archive(String name, String version, Map<String, String> content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Map<String, String> all = new TreeMap<>(content);
        all.put("Chart.yaml", "apiVersion: v2\nname: " + name + "\nversion: " + version + "\n");
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (Map.Entry<String, String> file : all.entrySet()) {
                byte[] text = file.getValue().getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry(name + "/" + file.getKey());
                entry.setSize(text.length);
                tar.putArchiveEntry(entry);
                tar.write(text);
                tar.closeArchiveEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        String wanted = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        byte[] file = files.get(path);
        int code = file == null ? 404 : 200;
        if (refusing != 0) {
            code = refusing;
        } else if (!login.isEmpty()
                && !wanted.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            code = 401;
        }
        exchange.sendResponseHeaders(code, code == 200 ? file.length : -1);
        if (code == 200) {
            exchange.getResponseBody().write(file);
        }
        exchange.close();
    }
}
