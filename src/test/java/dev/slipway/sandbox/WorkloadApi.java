package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of one workload cluster: a load balancer and, once the control plane is up, a real API server behind it. */
final class WorkloadApi implements AutoCloseable {

    private static final String NODES = "/api/v1/nodes";

    private final LoadBalancer loadBalancer;
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();
    private volatile @Nullable WorkloadServer server;

    /** Takes that loopback port, or a free one if it is 0. */
    WorkloadApi(int port) {
        this.loadBalancer = new LoadBalancer(port);
    }

    int port() {
        return loadBalancer.port();
    }

    String url() {
        return "https://127.0.0.1:" + port();
    }

    boolean running() {
        WorkloadServer current = server;
        return current != null && current.alive();
    }

    /** Starts the API server; takes seconds. */
    void start(Supplier<WorkloadServer> servers) {
        stop();
        WorkloadServer started = servers.get();
        server = started;
        loadBalancer.backend(started.port());
    }

    void blackHole(boolean swallow) {
        loadBalancer.blackHole(swallow);
    }

    /** Registers a Ready node, as a kubelet does. */
    void ensureNode(String name, String version, boolean controlPlane, String providerId, Instant now) {
        WorkloadServer current = server;
        if (current == null || nodes.contains(name)) {
            return;
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", "v1").put("kind", "Node");
        ObjectNode labels = node.putObject("metadata").put("name", name).putObject("labels");
        labels.put("kubernetes.io/hostname", name).put("kubernetes.io/os", "linux");
        if (controlPlane) {
            labels.put("node-role.kubernetes.io/control-plane", "");
        }
        node.putObject("spec").put("providerID", providerId);
        JsonApi api = current.json();
        api.create(NODES, node);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set("status", status(name, version, now));
        api.merge(NODES + "/" + name + "/status", patch);
        nodes.add(name);
    }

    private static ObjectNode status(String name, String version, Instant now) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.set("nodeInfo", nodeInfo(version));
        status.putArray("addresses").addObject().put("type", "Hostname").put("address", name);
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("reason", "KubeletReady")
                .put("message", "The sandbox plays the kubelet")
                .put("lastHeartbeatTime", now.toString())
                .put("lastTransitionTime", now.toString());
        return status;
    }

    /** What a node says about itself, here and in its Machine. */
    static ObjectNode nodeInfo(String version) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kubeletVersion", version)
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", "amd64")
                .put("osImage", "Slipway sandbox")
                .put("kernelVersion", "sandbox")
                .put("containerRuntimeVersion", "sandbox://1")
                .put("bootID", "sandbox")
                .put("machineID", "sandbox")
                .put("systemUUID", "sandbox");
    }

    void deleteNode(String name) {
        WorkloadServer current = server;
        if (current != null) {
            current.json().delete(NODES + "/" + name);
        }
        nodes.remove(name);
    }

    private void stop() {
        WorkloadServer current = server;
        if (current != null) {
            loadBalancer.backend(0);
            nodes.clear();
            server = null;
            current.close();
        }
    }

    @Override
    public void close() {
        stop();
        loadBalancer.close();
    }
}
