package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialRanking.Policy;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import dev.slipway.sentry.SentrySettings;
import dev.slipway.sentry.SentrySettings.TokenKind;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A Cluster to import, on an API server with a platform, and its workload cluster on another API server.
 *
 * <p>All labs have the same workload cluster, each a namespace of its own there; so one must be closed before the next is
 * imported.
 */
public final class ImportLab implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final String PLATFORM = "/apis/platform.tkestack.io/v1/";

    private final ControlPlane plane;
    private final JsonApi management;
    private final String namespace;
    private final String name =
            "i" + COUNTER.incrementAndGet() + "-" + ProcessHandle.current().pid();
    private ClusterRef ref;
    private final Map<String, String> facts = new HashMap<>();
    private Policy policy = Policy.AUTO;
    private boolean network;
    private Duration later = Duration.ZERO;
    private AnnotationConfigApplicationContext beans;

    private ImportLab(ControlPlane plane) {
        this.plane = plane;
        management = plane.json();
        namespace = plane.newNamespace("import");
        ref = ImportTarget.refOf(new KubeObject(create()));
        kubeconfig(workloadPlane().adminKubeconfig());
    }

    private ObjectNode create() {
        ObjectNode cluster = management
                .create(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                        yaml(
                                """
                                apiVersion: cluster.x-k8s.io/v1beta2
                                kind: Cluster
                                metadata: {name: %s}
                                spec:
                                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: cp}
                                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: infra}
                                  controlPlaneEndpoint: {host: 127.0.0.1, port: %d}
                                """
                                        .formatted(
                                                name,
                                                URI.create(workloadPlane().server())
                                                        .getPort())))
                .orElseThrow();
        management.merge(
                clusterPath() + "/status",
                "{\"status\": {\"initialization\": {\"infrastructureProvisioned\": true,"
                        + " \"controlPlaneInitialized\": true}}}");
        return cluster;
    }

    /** Somebody deletes the Cluster, whatever holds it, and makes another one of that name. */
    public void replace() {
        vanish();
        create();
    }

    /** Somebody deletes the Cluster, whatever holds it. */
    public void vanish() {
        release(clusterPath());
    }

    /** Makes that WorkloadCluster the one that it was built for. */
    public ImportLab builtFor(ObjectNode declared) {
        management.merge(
                clusterPath(),
                JsonApi.parse("{\"metadata\": {\"ownerReferences\": [" + new KubeObject(declared).ownerReference(true)
                        + "]}}"));
        ref = ImportTarget.refOf(new KubeObject(cluster()));
        return this;
    }

    /** A new Cluster whose control plane is up. */
    public static ImportLab open() {
        return open(PlatformLab.plane());
    }

    /** The same on another API server with a platform. */
    public static ImportLab open(ControlPlane management) {
        return new ImportLab(management);
    }

    /** The API server of the workload cluster. */
    public static ControlPlane workloadPlane() {
        return ControlPlane.shared();
    }

    /** Lets the policy be another one. */
    public ImportLab policy(Policy other) {
        policy = other;
        return this;
    }

    /** Lets import make the nodes ready, as where the account installs the network; there is none to begin with. */
    public ImportLab network() {
        network = true;
        // The API server is shared: nodes of earlier tests would be taken for this cluster's.
        workload().list("/api/v1/nodes").forEach(node -> workload()
                .delete("/api/v1/nodes/" + node.at("/metadata/name").asText()));
        return this;
    }

    /** Lets that much time pass for the phases. */
    public ImportLab later(Duration time) {
        later = later.plus(time);
        return this;
    }

    /** A fact that phases find. */
    public ImportLab fact(String fact, String value) {
        facts.put(fact, value);
        return this;
    }

    public String name() {
        return name;
    }

    public String namespace() {
        return namespace;
    }

    public ClusterRef ref() {
        return ref;
    }

    public JsonApi management() {
        return management;
    }

    public JsonApi workload() {
        return workloadPlane().json();
    }

    /** Puts the kubeconfig of the workload cluster where Cluster API has it. */
    public void kubeconfig(String text) {
        kubeconfig(name + "-kubeconfig", text);
    }

    /** Puts a kubeconfig into a secret. */
    public void kubeconfig(String secret, String text) {
        String value = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        management.applyYaml(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: " + secret + "}\ndata: {value: " + value + "}\n",
                namespace);
    }

    /** Lets the phases reach the management cluster with that client from now on. */
    public ImportLab through(KubeClient client) {
        beans = context(client);
        return this;
    }

    /** The phase of that bean's name, as the application makes it. */
    public Phase phase(String bean) {
        return beans().getBean(bean, Phase.class);
    }

    private AnnotationConfigApplicationContext beans() {
        if (beans == null) {
            beans = context(KubeClient.of(plane.apiClient()));
        }
        return beans;
    }

    /** One run of a phase; facts that it records are found by the next. */
    public Outcome run(String bean) {
        Instant now = Instant.now().plus(later);
        Outcome outcome = phase(bean).run(context(bean, now, now));
        if (outcome instanceof Outcome.Done done) {
            facts.putAll(done.facts());
        }
        return outcome;
    }

    /** Runs the phases in order; each must be done. */
    public ImportLab done(String... phases) {
        for (String bean : phases) {
            Outcome outcome = run(bean);
            if (!(outcome instanceof Outcome.Done)) {
                throw new AssertionError(bean + " answered " + outcome);
            }
        }
        return this;
    }

    /** Takes the import from the account to its commit. */
    public ImportLab imported() {
        return done("ensureSingleCredential", "ensurePlatformCluster", "commitImported");
    }

    public PhaseContext context(String phase, Instant since, Instant now) {
        return new PhaseContext(
                ref, "cluster-import", "flow", phase, 1, since, now, Duration.ofSeconds(30), Map.copyOf(facts));
    }

    public SentrySettings sentry() {
        return new SentrySettings(
                "sentry-" + name,
                "sentry",
                "cluster-admin",
                List.of("* *.*"),
                TokenKind.REQUEST,
                "sentry-token",
                Duration.ofHours(10));
    }

    // What is there

    public ObjectNode cluster() {
        return management.get(clusterPath()).orElseThrow();
    }

    public String clusterPath() {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + name;
    }

    public Optional<ObjectNode> record() {
        return management.get(recordPath());
    }

    public String recordPath() {
        return PLATFORM + "clusters/" + name;
    }

    public String recordsPath() {
        return PLATFORM + "clusters";
    }

    public String credentialPath(String credential) {
        return PLATFORM + "clustercredentials/" + credential;
    }

    public Optional<ObjectNode> credential(String credential) {
        return management.get(credentialPath(credential));
    }

    /** Whether the workload cluster that the Cluster leads to accepts a credential, with just what that holds. */
    public boolean accepts(String credential) {
        ImportTarget target = new ImportTarget(ref, new CapiCluster(new KubeObject(cluster())));
        return beans().getBean(CredentialProof.class)
                        .of(
                                beans().getBean(ImportAccess.class).open(target).orElseThrow(),
                                beans().getBean(PlatformApi.class)
                                        .open()
                                        .orElseThrow()
                                        .credential(credential)
                                        .orElseThrow())
                == Proof.ACCEPTED;
    }

    /** The names of the credentials that carry the cluster's label. */
    public List<String> credentials() {
        return management.list(PLATFORM + "clustercredentials").stream()
                .filter(one -> name.equals(one.at("/metadata/labels")
                        .path("cluster.x-k8s.io/cluster-name")
                        .asText()))
                .map(one -> one.at("/metadata/name").asText())
                .sorted()
                .toList();
    }

    /** A credential as another import controller would have left it. */
    public ObjectNode foreign(String credential, String token) {
        String authority =
                Base64.getEncoder().encodeToString(workloadPlane().caPem().getBytes(StandardCharsets.UTF_8));
        return management
                .create(
                        PLATFORM + "clustercredentials",
                        yaml(
                                """
                                apiVersion: platform.tkestack.io/v1
                                kind: ClusterCredential
                                metadata: {name: %s, labels: {cluster.x-k8s.io/cluster-name: %s}}
                                clusterName: %s
                                caCert: %s
                                token: %s
                                """
                                        .formatted(credential, name, name, authority, token)))
                .orElseThrow();
    }

    /** A token that the workload cluster accepts as sentry's. */
    public String token() {
        done("ensureWorkloadNamespace", "ensureSentry", "ensureSentryToken");
        String secret = workload()
                .get("/api/v1/namespaces/" + sentry().namespace() + "/secrets/sentry-token-requested")
                .orElseThrow()
                .at("/data/token")
                .asText();
        return new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8);
    }

    public static ObjectNode yaml(String text) {
        return JsonApi.parseYaml(text).get(0);
    }

    /** Removes the cluster and its records. */
    @Override
    public void close() {
        management.list(PLATFORM + "clusters").stream()
                .filter(record -> record.at("/spec/displayName").asText().equals(name)
                        || record.at("/metadata/name").asText().startsWith(name))
                .forEach(record -> release(
                        PLATFORM + "clusters/" + record.at("/metadata/name").asText()));
        credentials().forEach(credential -> release(credentialPath(credential)));
        // Its annotation counts as a registration of the identity.
        release(clusterPath());
        if (beans != null) {
            beans.close();
        }
    }

    private void release(String path) {
        if (management.get(path).isPresent()) {
            management.merge(path, "{\"metadata\": {\"finalizers\": null}}");
            management.delete(path);
        }
    }

    private AnnotationConfigApplicationContext context(KubeClient client) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
        context.registerBean(KubeClient.class, () -> client);
        context.registerBean(WorkloadClusters.class, RealWorkloads::clusters);
        context.registerBean(SentrySettings.class, this::sentry);
        context.registerBean(PlatformSettings.class, () -> new PlatformSettings(PlatformSettings.Api.REQUIRED));
        context.registerBean(
                ImportSettings.class,
                () -> new ImportSettings(
                        true, "", policy, Duration.ofMinutes(10), "", network, Duration.ofMinutes(10)));
        context.scan(
                "dev.slipway.delegates",
                "dev.slipway.imports",
                "dev.slipway.sentry",
                "dev.slipway.platform",
                "dev.slipway.cluster");
        context.refresh();
        return context;
    }
}
