package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of one workload cluster: a load balancer and, once the control plane is up, a real API server behind it. */
final class WorkloadApi implements AutoCloseable {

    /** How a kubelet says that no network plugin is there. */
    static final String NO_NETWORK = "container runtime network not ready: NetworkReady=false"
            + " reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

    private static final String NODES = "/api/v1/nodes";
    private static final String SENTRY = "/api/v1/namespaces/cpaas-system/serviceaccounts/sentry";

    private final LoadBalancer loadBalancer;
    private final Map<String, Boolean> nodes = new ConcurrentHashMap<>();
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

    /**
     * A node as its kubelet reports it.
     *
     * @param name its name and that of its machine
     * @param version the kubelet's version
     * @param controlPlane whether it carries the control plane's label
     * @param providerId by which its machine finds it
     * @param network whether its container runtime has a network plugin: otherwise it is NotReady
     */
    record Kubelet(String name, String version, boolean controlPlane, String providerId, boolean network) {}

    /** Registers a node, as a kubelet does, or reports what has changed. */
    void ensureNode(Kubelet kubelet, Instant now) {
        WorkloadServer current = server;
        Boolean reported = nodes.get(kubelet.name());
        if (current == null || (reported != null && reported == kubelet.network())) {
            return;
        }
        JsonApi api = current.json();
        if (reported == null) {
            api.create(NODES, node(kubelet));
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set("status", status(kubelet, now));
        api.merge(NODES + "/" + kubelet.name() + "/status", patch);
        nodes.put(kubelet.name(), kubelet.network());
    }

    private static ObjectNode node(Kubelet kubelet) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", "v1").put("kind", "Node");
        ObjectNode labels =
                node.putObject("metadata").put("name", kubelet.name()).putObject("labels");
        labels.put("kubernetes.io/hostname", kubelet.name()).put("kubernetes.io/os", "linux");
        if (kubelet.controlPlane()) {
            labels.put("node-role.kubernetes.io/control-plane", "");
        }
        node.putObject("spec").put("providerID", kubelet.providerId());
        return node;
    }

    private static ObjectNode status(Kubelet kubelet, Instant now) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.set("nodeInfo", nodeInfo(kubelet.version()));
        status.putArray("addresses").addObject().put("type", "Hostname").put("address", kubelet.name());
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", kubelet.network() ? "True" : "False")
                .put("reason", kubelet.network() ? "KubeletReady" : "KubeletNotReady")
                .put("message", kubelet.network() ? "The sandbox plays the kubelet" : NO_NETWORK)
                .put("lastHeartbeatTime", now.toString())
                .put("lastTransitionTime", now.toString());
        return status;
    }

    /** Whether the workload cluster has the account that installs its network. */
    boolean hasSentry() {
        WorkloadServer current = server;
        return current != null && current.json().get(SENTRY).isPresent();
    }

    /** Plays the token controller; needs the workload cluster's CA. */
    void fillTokenSecrets(String authority) {
        WorkloadServer current = server;
        if (current != null) {
            new TokenController(current.json(), authority).run();
        }
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
