package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.Wire;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Directive;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import io.kubernetes.client.openapi.ApiClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One Cluster of Cluster API beside a platform, with what the phases of its import are made of. */
public final class ImportedCluster {

    /** The references of a Cluster that Cluster API builds, as fields of its spec. */
    public static final String BUILT =
            """
            {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: c},
             infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c}}""";

    private final JsonApi json = PlatformLab.plane().json();
    private final String namespace;
    private final String name;
    private final KubeClient client;
    private final Wire wire;
    private final Map<String, String> facts = new HashMap<>();
    private ClusterRef ref;
    private Instant now = Instant.now();

    private ImportedCluster(String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
        ApiClient api = PlatformLab.plane().apiClient();
        this.wire = Wire.into(api);
        this.client = KubeClient.of(api);
    }

    /** Makes a Cluster with that spec, as YAML, in a namespace of its own. */
    public static ImportedCluster create(String name, String spec) {
        return create(PlatformLab.plane().newNamespace("import"), name, spec);
    }

    public static ImportedCluster create(String namespace, String name, String spec) {
        ImportedCluster cluster = new ImportedCluster(namespace, name);
        cluster.apply("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: " + name + "}\nspec: "
                + spec.replace("\n", " ") + "\n");
        return cluster.readRef();
    }

    /** Names it anew: after an owner came. */
    public ImportedCluster readRef() {
        ref = ImportTarget.refOf(object());
        return this;
    }

    public ClusterRef ref() {
        return ref;
    }

    public String display() {
        return "Cluster " + namespace + "/" + name;
    }

    public String namespace() {
        return namespace;
    }

    public KubeClient client() {
        return client;
    }

    public ClusterApi api() {
        return new ClusterApi(client);
    }

    public ImportTargets targets() {
        return new ImportTargets(api());
    }

    public PlatformApi platforms(PlatformSettings.Api api) {
        return new PlatformApi(client, client, new PlatformSettings(api));
    }

    public ImportAccess access() {
        return new ImportAccess(client, RealWorkloads.clusters());
    }

    public ClusterMarks marks() {
        return new ClusterMarks(client, client);
    }

    /** Decides as an operator. */
    public ImportedCluster decide(Directive directive, String argument) {
        return fact(directive.fact(), argument);
    }

    public ImportedCluster fact(String name, String value) {
        facts.put(name, value);
        return this;
    }

    public ImportedCluster at(Instant time) {
        now = time;
        return this;
    }

    public PhaseContext context() {
        return new PhaseContext(
                ref, "cluster-import", "flow", "phase", 1, now, now, Duration.ofSeconds(30), Map.copyOf(facts));
    }

    public List<ObjectNode> apply(String yaml) {
        return json.applyYaml(yaml, namespace);
    }

    /** Merges a patch, given as YAML, into the Cluster. */
    public ImportedCluster patch(String yaml) {
        json.merge(path(), JsonApi.parseYaml(yaml).get(0));
        return this;
    }

    /** Cluster API says that the control plane is initialized. */
    public ImportedCluster initialized() {
        json.merge(path() + "/status", "{\"status\":{\"initialization\":{\"controlPlaneInitialized\":true}}}");
        return this;
    }

    /** Puts a kubeconfig into a secret, as a person would. */
    public ImportedCluster kubeconfig(String secret, String kubeconfig) {
        String value = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
        apply("apiVersion: v1\nkind: Secret\nmetadata: {name: " + secret + "}\ndata: {value: " + value + "}\n");
        return this;
    }

    public ImportedCluster kubeconfig(String kubeconfig) {
        return kubeconfig(name + "-kubeconfig", kubeconfig);
    }

    public ObjectNode read() {
        return json.get(path()).orElseThrow();
    }

    public KubeObject object() {
        return new KubeObject(read());
    }

    public void delete() {
        json.delete(path());
    }

    /** The requests that wrote to the management cluster. */
    public List<String> writes() {
        return wire.requests().stream()
                .filter(request -> !request.startsWith("GET "))
                .toList();
    }

    private String path() {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + name;
    }
}
