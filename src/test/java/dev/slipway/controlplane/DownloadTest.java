package dev.slipway.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The download of an archive with the binaries. */
class DownloadTest {

    @TempDir
    private Path folder;

    private static final String VERSION = "v1.36.3";

    private final Map<String, byte[]> served = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private byte[] archive;

    @BeforeEach
    void serve() throws IOException {
        archive = archive();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            byte[] content = served.get(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(content == null ? 404 : 200, content == null ? -1 : content.length);
            if (content != null) {
                exchange.getResponseBody().write(content);
            }
            exchange.close();
        });
        server.start();
        served.put("/archive.tar.gz", archive);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void takesTheNewestPatchOfTheIndexWhoseChecksumFits() throws Exception {
        // given
        serveIndex(sha512(archive));
        Path target = folder.resolve("etcd");

        // when
        download("/index.yaml").provide("etcd", target);

        // then
        assertThat(target).hasContent("I am etcd");
        assertThat(folder.toFile().list()).containsExactly("etcd");
    }

    @Test
    void refusesAnArchiveWithAnotherChecksum() throws Exception {
        // given
        serveIndex("00");
        Path target = folder.resolve("etcd");

        // then
        assertThatThrownBy(() -> download("/index.yaml").provide("etcd", target))
                .hasMessageContaining("/archive.tar.gz has the SHA-512 " + sha512(archive) + ", not 00");
        assertThat(target).doesNotExist();
    }

    @Test
    void saysWhenTheIndexHasNothingForThisMachine() {
        // given
        served.put("/index.yaml", "releases: {v1.36.0: {}}".getBytes(StandardCharsets.UTF_8));

        // then
        assertThatThrownBy(() -> download("/index.yaml").provide("etcd", folder.resolve("etcd")))
                .hasMessageStartingWith("the index has no archive envtest-v1.36.*-");
    }

    @Test
    void takesAnArchiveByItsAddress() throws Exception {
        // given
        Path target = folder.resolve("kube-apiserver");

        // when
        download("/archive.tar.gz").provide("kube-apiserver", target);

        // then
        assertThat(target).hasContent("I am kube-apiserver");
    }

    @Test
    void triesAnAddressThatFailsOnlyOnce() {
        // given
        Download broken = download("/absent.tar.gz");

        // when
        assertThatThrownBy(() -> broken.provide("etcd", folder.resolve("etcd")))
                .hasMessageContaining("/absent.tar.gz answered 404");
        assertThatThrownBy(() -> broken.provide("kube-apiserver", folder.resolve("kube-apiserver")))
                .hasMessageContaining("/absent.tar.gz answered 404");

        // then
        assertThat(requests).hasValue(1);
    }

    @Test
    void asksNobodyForWhatTheArchiveCannotHaveOrWhenSwitchedOff() {
        // then
        assertThatThrownBy(() -> download("/archive.tar.gz").provide("kube-controller-manager", folder.resolve("a")))
                .hasMessage("the archive has no kube-controller-manager");
        assertThatThrownBy(() -> new Download("none", VERSION).provide("etcd", folder.resolve("b")))
                .hasMessage("switched off");
        assertThat(requests).hasValue(0);
    }

    private Download download(String path) {
        return new Download(address() + path, VERSION);
    }

    private void serveIndex(String hash) {
        String entry =
                """
                  v1.36.%1$s:
                    envtest-v1.36.%1$s-%2$s-%3$s.tar.gz: {hash: "%4$s", selfLink: "%5$s"}
                """;
        String index = "releases:\n"
                + entry.formatted("9", Binaries.os(), Binaries.architecture(), "ff", address() + "/old.tar.gz")
                + entry.formatted("10", Binaries.os(), Binaries.architecture(), hash, address() + "/archive.tar.gz")
                + "  v1.37.0: {}\n";
        served.put("/index.yaml", index.getBytes(StandardCharsets.UTF_8));
    }

    private static String sha512(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(content));
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static byte[] archive() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (String name : new String[] {"kube-apiserver", "etcd"}) {
                byte[] content = ("I am " + name).getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry("controller-tools/envtest/" + name);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }
}
