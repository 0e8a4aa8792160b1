package dev.slipway.controlplane;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A running etcd on loopback, without fsync: for throw-away data only. */
public final class Etcd implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private final SupervisedProcess process;
    private final String url;

    private Etcd(SupervisedProcess process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts etcd with its logs in that folder; its data vanishes when it ends. */
    public static Etcd start(Path folder) {
        Path binary = Binaries.get().find("etcd");
        return Starting.onFreePorts("etcd", 2, (ports, attempt) -> {
            String url = "http://127.0.0.1:" + ports.get(0);
            String peers = "http://127.0.0.1:" + ports.get(1);
            Path data = folder.resolve("etcd-data-" + attempt);
            List<String> command = List.of(
                    binary.toString(),
                    "--data-dir=" + data,
                    "--listen-client-urls=" + url,
                    "--advertise-client-urls=" + url,
                    "--listen-peer-urls=" + peers,
                    "--initial-advertise-peer-urls=" + peers,
                    "--initial-cluster=default=" + peers,
                    "--unsafe-no-fsync",
                    "--auto-compaction-mode=periodic",
                    "--auto-compaction-retention=10m",
                    "--log-level=warn");
            SupervisedProcess process = SupervisedProcess.start(
                    "etcd", command, Map.of("GOGC", "50"), folder.resolve("etcd-" + attempt + ".log"), data);
            Etcd etcd = new Etcd(process, url);
            return new Starting.Candidate<>(etcd, process, etcd::healthy);
        });
    }

    /** The client URL. */
    public String url() {
        return url;
    }

    /** Removes everything under a prefix, as an API server of a deleted cluster leaves it behind. */
    public void deletePrefix(String prefix) {
        byte[] key = (prefix + "/").getBytes(StandardCharsets.UTF_8);
        byte[] end = key.clone();
        end[end.length - 1]++;
        String body = "{\"key\":\"%s\",\"range_end\":\"%s\"}"
                .formatted(
                        Base64.getEncoder().encodeToString(key),
                        Base64.getEncoder().encodeToString(end));
        try {
            HttpResponse<String> answer = HTTP.send(
                    HttpRequest.newBuilder(URI.create(url + "/v3/kv/deleterange"))
                            .timeout(Duration.ofSeconds(10))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("etcd refuses to delete " + prefix + ": " + answer.body());
            }
        } catch (IOException e) {
            throw new IllegalStateException("etcd does not answer: " + process.describe(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while deleting " + prefix, e);
        }
    }

    List<ProcessHandle> processes() {
        return process.handles();
    }

    private boolean healthy() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/health"))
                .timeout(Duration.ofSeconds(5))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body().contains("\"health\":\"true\"");
    }

    @Override
    public void close() {
        process.close();
    }
}
