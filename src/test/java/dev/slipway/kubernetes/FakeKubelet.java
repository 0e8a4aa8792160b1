package dev.slipway.kubernetes;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Pki;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A node of a real API server, and the kubelet that it fetches logs from. */
public final class FakeKubelet implements AutoCloseable {

    private final JsonApi api;
    private final Vertx vertx;
    private final String node;
    private final Map<String, List<String>> logs = new ConcurrentHashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> pods = new ArrayList<>();

    private FakeKubelet(JsonApi api, Vertx vertx, String node) {
        this.api = api;
        this.vertx = vertx;
        this.node = node;
    }

    /** Listens on loopback and registers its node. */
    public static FakeKubelet start(ControlPlane plane) {
        Pki.Pem serving = Pki.serving(Pki.authority("fake-kubelet"));
        Vertx vertx = Vertx.vertx();
        FakeKubelet kubelet = new FakeKubelet(plane.json(), vertx, "fake-" + Long.toString(System.nanoTime(), 36));
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertValue(Buffer.buffer(serving.certificate()))
                                .setKeyValue(Buffer.buffer(serving.key()))))
                .requestHandler(kubelet::answer)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        kubelet.register(server.actualPort());
        return kubelet;
    }

    /** Lets a pod with one container run, whose labels are {@code app: <name>}. */
    public void run(String namespace, String pod, String container, List<String> lines) {
        logs.put("/containerLogs/" + namespace + "/" + pod + "/" + container, lines);
        api.create(
                "/api/v1/namespaces/" + namespace + "/pods",
                JsonApi.parse("{\"metadata\":{\"name\":\"" + pod + "\",\"labels\":{\"app\":\"" + pod
                        + "\"}},\"spec\":{\"nodeName\":\"" + node + "\",\"containers\":[{\"name\":\"" + container
                        + "\",\"image\":\"none\"}]}}"));
        pods.add("/api/v1/namespaces/" + namespace + "/pods/" + pod);
    }

    /** The queries that came with requests for logs. */
    public List<String> asked() {
        synchronized (asked) {
            return List.copyOf(asked);
        }
    }

    private void register(int port) {
        api.create("/api/v1/nodes", JsonApi.parse("{\"metadata\":{\"name\":\"" + node + "\"}}"));
        api.merge(
                "/api/v1/nodes/" + node + "/status",
                "{\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"127.0.0.1\"}],"
                        + "\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":" + port + "}}}}");
    }

    private void answer(HttpServerRequest request) {
        synchronized (asked) {
            asked.add(request.query());
        }
        List<String> lines = logs.get(request.path());
        if (lines == null) {
            request.response().setStatusCode(404).end("no such container");
            return;
        }
        request.response().end(String.join("\n", lines) + "\n");
    }

    @Override
    public void close() {
        // Without a grace period: no real kubelet would confirm the end.
        pods.forEach(pod -> api.delete(pod + "?gracePeriodSeconds=0"));
        api.delete("/api/v1/nodes/" + node);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
