package dev.slipway.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.PhaseContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A namespace of a real API server, and what phases need to work in it. */
public final class ClusterLab {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    /** The kinds whose objects phases could write. */
    private static final List<String[]> KINDS = List.of(
            new String[] {"slipway.dev", "WorkloadCluster"},
            new String[] {"cluster.x-k8s.io", "Cluster"},
            new String[] {"cluster.x-k8s.io", "MachineDeployment"},
            new String[] {"cluster.x-k8s.io", "Machine"},
            new String[] {"infrastructure.cluster.x-k8s.io", "DevCluster"},
            new String[] {"infrastructure.cluster.x-k8s.io", "DevMachineTemplate"},
            new String[] {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane"},
            new String[] {"", "ConfigMap"},
            new String[] {"", "Secret"});

    private final ControlPlane plane;
    private final String namespace;
    private final KubeClient client;

    private ClusterLab(ControlPlane plane, String namespace) {
        this.plane = plane;
        this.namespace = namespace;
        this.client = KubeClient.of(plane.apiClient());
    }

    /** Opens a new namespace on the API server that all tests share. */
    public static ClusterLab open(String prefix) {
        return open(ControlPlane.shared(), prefix);
    }

    /** Opens a new namespace on another API server. */
    public static ClusterLab open(ControlPlane plane, String prefix) {
        return new ClusterLab(plane, plane.newNamespace(prefix));
    }

    public String namespace() {
        return namespace;
    }

    public KubeClient client() {
        return client;
    }

    public JsonApi json() {
        return plane.json();
    }

    public ClusterApi api() {
        return new ClusterApi(client);
    }

    public LiveClusters clusters() {
        return new LiveClusters(client, api());
    }

    public Blueprints blueprints() {
        return new Blueprints(client, api(), new ClusterSettings(null));
    }

    public ClusterObjects objects() {
        return new ClusterObjects(client, client, blueprints());
    }

    public Admission admission() {
        return admission(() -> false);
    }

    public Admission admission(NameScope names) {
        return new Admission(client, blueprints(), names);
    }

    public WorkloadApi workloads() {
        return new WorkloadApi(client, RealWorkloads.clusters());
    }

    /** Creates a WorkloadCluster with that spec. */
    public WorkloadCluster declare(String name, String spec) {
        return declare(name, "{}", spec);
    }

    /** Creates a WorkloadCluster with more metadata, given as a YAML map of annotations. */
    public WorkloadCluster declare(String name, String annotations, String spec) {
        ObjectNode json = apply("apiVersion: slipway.dev/v1alpha1\nkind: WorkloadCluster\nmetadata: {name: " + name
                        + ", annotations: " + annotations + "}\nspec:\n" + spec.indent(2))
                .get(0);
        return WorkloadCluster.of(new KubeObject(json));
    }

    /** Applies manifests into the namespace, as somebody else than Slipway. */
    public List<ObjectNode> apply(String yaml) {
        return plane.json().applyYaml(yaml, namespace);
    }

    /** Merges a patch, given as YAML, into an object of Cluster API's or a provider's group. */
    public void patch(String group, String kind, String name, String yaml) {
        plane.json().merge(path(group, kind, name), JsonApi.parseYaml(yaml).get(0));
    }

    /** Merges a patch, given as YAML, into an object's status. */
    public void patchStatus(String group, String kind, String name, String yaml) {
        plane.json()
                .merge(
                        path(group, kind, name) + "/status",
                        JsonApi.parseYaml("status:\n" + yaml.indent(2)).get(0));
    }

    public KubeObject get(String group, String kind, String name) {
        return client.get(client.find(group, kind).orElseThrow(), namespace, name)
                .orElseThrow();
    }

    public void delete(String group, String kind, String name) {
        plane.json().delete(path(group, kind, name));
    }

    /** A ConfigMap with a template. */
    public void template(String name, String text) {
        apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n  template.yaml: |\n"
                + text.indent(4));
    }

    /** The secret that the PKI phases make: here it leads to the API server of the tests itself. */
    public void kubeconfig(String cluster) {
        String value =
                Base64.getEncoder().encodeToString(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
        apply("apiVersion: v1\nkind: Secret\nmetadata: {name: " + cluster + "-kubeconfig}\ndata: {value: " + value
                + "}\n");
    }

    public PhaseContext context(WorkloadCluster cluster) {
        return context(cluster.ref(), Map.of());
    }

    public PhaseContext context(ClusterRef ref, Map<String, String> facts) {
        return new PhaseContext(ref, "cluster-init", "f1", "Any", 1, NOW, NOW, Duration.ofSeconds(30), facts);
    }

    /** The resource versions of everything in the namespace: equal if and only if nothing was written. */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (String[] kind : KINDS) {
            ResourceType type = client.find(kind[0], kind[1]).orElseThrow();
            client.list(type, namespace, Map.of())
                    .forEach(object -> versions.put(kind[1] + "/" + object.name(), object.resourceVersion()));
        }
        return versions;
    }

    private String path(String group, String kind, String name) {
        ResourceType type = client.find(group, kind).orElseThrow();
        String root = group.isEmpty() ? "/api/v1" : "/apis/" + group + "/" + type.version();
        return root + "/namespaces/" + namespace + "/" + type.plural() + "/" + name;
    }
}
