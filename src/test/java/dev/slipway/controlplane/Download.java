package dev.slipway.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Downloads kubebuilder's archive with etcd and kube-apiserver: a single attempt that fails within seconds offline.
 *
 * <p>The address is that of kubebuilder's index, whose checksums the archives must have. The system property
 * {@code slipway.control-plane.url}, or the variable {@code SLIPWAY_CONTROL_PLANE_URL}, replaces it by another index, or
 * by an archive ({@code .tar.gz}); "none" switches the download off.
 */
final class Download implements Binaries.Source {

    private static final String INDEX =
            "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration INDEX_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration ARCHIVE_TIMEOUT = Duration.ofMinutes(10);

    private final String url;
    private final String version;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private String failure = "";

    Download(String url, String version) {
        this.url = url;
        this.version = version;
    }

    /** Downloads from the configured address. */
    static Download configured(String version) {
        String property = System.getProperty("slipway.control-plane.url");
        String value = property == null ? System.getenv("SLIPWAY_CONTROL_PLANE_URL") : property;
        return new Download(value == null ? INDEX : value, version);
    }

    @Override
    public String describe() {
        return "download from " + url;
    }

    @Override
    public void provide(String binary, Path target) throws IOException, InterruptedException {
        if ("none".equals(url.toLowerCase(Locale.ROOT))) {
            throw new IOException("switched off");
        }
        if ("kube-controller-manager".equals(binary)) {
            throw new IOException("the archive has no " + binary);
        }
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
        try {
            download(binary, target);
        } catch (IOException e) {
            // One attempt per process: the next binary would only fail the same way.
            failure = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException(failure, e);
        }
    }

    private void download(String binary, Path target) throws IOException, InterruptedException {
        Archive archive = url.endsWith(".tar.gz") ? new Archive(url, "") : lookUp();
        Binaries.report("Downloading " + binary + " from " + archive.url());
        Path file = target.resolveSibling(target.getFileName() + ".tar.gz");
        try {
            MessageDigest digest = sha512();
            try (InputStream body = open(archive.url(), ARCHIVE_TIMEOUT);
                    InputStream counted = new DigestInputStream(body, digest)) {
                Files.copy(counted, file);
            }
            String sum = HexFormat.of().formatHex(digest.digest());
            if (!archive.sha512().isEmpty() && !archive.sha512().equals(sum)) {
                throw new IOException(archive.url() + " has the SHA-512 " + sum + ", not " + archive.sha512());
            }
            unpack(file, binary, target);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** The newest patch of our minor version that has an archive for this machine. */
    private Archive lookUp() throws IOException, InterruptedException {
        String minor = version.substring(0, version.lastIndexOf('.') + 1);
        String suffix = "-" + Binaries.os() + "-" + Binaries.architecture() + ".tar.gz";
        JsonNode index;
        try (InputStream body = open(url, INDEX_TIMEOUT)) {
            index = JsonApi.parseYaml(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                    .get(0);
        }
        Map<Integer, Archive> byPatch = new TreeMap<>();
        index.path("releases").properties().forEach(release -> {
            JsonNode archive = release.getValue().path("envtest-" + release.getKey() + suffix);
            String patch = release.getKey().replace(minor, "");
            if (release.getKey().startsWith(minor) && patch.matches("[0-9]+") && archive.has("selfLink")) {
                byPatch.put(
                        Integer.parseInt(patch),
                        new Archive(
                                archive.path("selfLink").asText(),
                                archive.path("hash").asText()));
            }
        });
        if (byPatch.isEmpty()) {
            throw new IOException("the index has no archive envtest-" + minor + "*" + suffix);
        }
        return List.copyOf(byPatch.values()).get(byPatch.size() - 1);
    }

    private InputStream open(String address, Duration timeout) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address)).timeout(timeout).build();
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            answer.body().close();
            throw new IOException(address + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    private static MessageDigest sha512() {
        try {
            return MessageDigest.getInstance("SHA-512");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An archive and the SHA-512 it must have; empty if unknown. */
    private record Archive(String url, String sha512) {}

    private static void unpack(Path archive, String binary, Path target) throws IOException {
        try (InputStream file = Files.newInputStream(archive);
                TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(file))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile() && entry.getName().endsWith("/" + binary)) {
                    Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
                    return;
                }
            }
        }
        throw new IOException("the archive has no " + binary);
    }
}
