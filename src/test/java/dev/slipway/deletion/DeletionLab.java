package dev.slipway.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.deletion.DeletionSettings.WhenUnreachable;
import dev.slipway.imports.ImportLab;
import dev.slipway.imports.ImportSettings;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.CredentialRanking.Policy;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Receipt;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.receipt.ReceiptEvents;
import dev.slipway.receipt.ReceiptsInMemory;
import dev.slipway.sentry.SentrySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A cluster to delete, on an API server with a platform, with the phases of the deletion as the application makes them. */
public final class DeletionLab implements AutoCloseable {

    /** The phases in their order. */
    public static final List<String> PHASES = List.of(
            "admitDeletion",
            "markDeleting",
            "ensureOtherFlowsEnded",
            "ensureUnpaused",
            "ensureAccessCaptured",
            "ensureReachabilityKnown",
            "ensureWorkItemsUninstalled",
            "ensureRemoteCleaned",
            "ensurePlatformClusterGone",
            "ensureClusterApiClusterGone",
            "ensureImportFinalizerReleased",
            "ensureCredentialsGone",
            "ensureGone");

    private static final String API = "/apis/slipway.dev/v1alpha1/namespaces/";

    private final ImportLab imports = ImportLab.open();
    private final Map<String, String> facts = new HashMap<>();
    private final List<String> building = new ArrayList<>();
    private final List<Receipt> announced = new ArrayList<>();
    private final ReceiptsInMemory book = new ReceiptsInMemory();
    private final boolean declared;
    private final ClusterRef ref;
    private WhenUnreachable whenUnreachable = WhenUnreachable.ASK;
    private Duration later = Duration.ZERO;
    private Instant since = Instant.now();
    private AnnotationConfigApplicationContext beans;

    private DeletionLab(boolean declared) {
        this.declared = declared;
        if (declared) {
            ObjectNode object = management()
                    .create(
                            API + namespace() + "/workloadclusters",
                            ImportLab.yaml("apiVersion: slipway.dev/v1alpha1\nkind: WorkloadCluster\nmetadata: {name: "
                                    + name() + ", finalizers: [slipway.dev/workload-cluster]}\n"
                                    + "spec: {version: v1.36.3, templateRef: {name: t}}\n"))
                    .orElseThrow();
            imports.builtFor(object);
        }
        facts.put("deletion.subject", declared ? "WorkloadCluster" : "Cluster");
        ref = imports.ref();
    }

    /** A Cluster that nobody declared. */
    public static DeletionLab bare() {
        return new DeletionLab(false);
    }

    /** A WorkloadCluster with its Cluster. */
    public static DeletionLab declared() {
        return new DeletionLab(true);
    }

    /** Imports it, from the first phase to the last. */
    public DeletionLab imported() {
        imports.done(
                "admitImport",
                "ensureControlPlaneReachable",
                "ensureIdentity",
                "ensureImportFinalizer",
                "ensureWorkloadNamespace",
                "ensureSentry",
                "ensureSentryToken");
        imports.imported();
        return this;
    }

    public ImportLab imports() {
        return imports;
    }

    public JsonApi management() {
        return imports.management();
    }

    public JsonApi workload() {
        return imports.workload();
    }

    public String name() {
        return imports.name();
    }

    public String namespace() {
        return imports.namespace();
    }

    public ClusterRef ref() {
        return ref;
    }

    /** A fact that phases find. */
    public DeletionLab fact(String fact, String value) {
        facts.put(fact, value);
        return this;
    }

    public Optional<String> fact(String fact) {
        return Optional.ofNullable(facts.get(fact));
    }

    /** The mode that was asked for. */
    public DeletionLab mode(DeletionMode mode) {
        return fact(DeletionFacts.MODE, mode.text());
    }

    /** An operator decides {@code FORCE} for that phase. */
    public DeletionLab force(String phase, String typed) {
        return fact("directive.FORCE", typed).fact("directive.FORCE.phase", phase);
    }

    /** Lets that much time pass for the phases. */
    public DeletionLab later(Duration time) {
        later = later.plus(time);
        return this;
    }

    /** Flows that still build. */
    public List<String> building() {
        return building;
    }

    /** What happens with a workload cluster that stays unreachable. */
    public DeletionLab whenUnreachable(WhenUnreachable other) {
        whenUnreachable = other;
        return this;
    }

    /** Lets the phases reach the management cluster with that client from now on. */
    public DeletionLab through(KubeClient client) {
        beans = context(client);
        return this;
    }

    /** One run of a phase; a failure is what the kernel would make of it. */
    public Outcome run(String bean) {
        Instant now = Instant.now().plus(later);
        Outcome outcome;
        try {
            outcome = beans().getBean(bean, Phase.class).run(phaseContext(bean, now));
        } catch (Failure e) {
            outcome = Outcome.retry(e);
        }
        if (outcome instanceof Outcome.Done done) {
            facts.putAll(done.facts());
        }
        return outcome;
    }

    /** Runs the phases in order; each must be done. */
    public DeletionLab done(String... phases) {
        for (String bean : phases) {
            Outcome outcome = run(bean);
            if (!(outcome instanceof Outcome.Done)) {
                throw new AssertionError(bean + " answered " + outcome);
            }
        }
        return this;
    }

    /** Runs all phases that come before that one. */
    public DeletionLab until(String phase) {
        return done(PHASES.subList(0, PHASES.indexOf(phase)).toArray(String[]::new));
    }

    /** A preview, as REST gives it. */
    public DeletionPreview preview(DeletionMode mode) {
        return beans().getBean(DeletionPreviews.class).preview(ref, mode);
    }

    // What is there

    public Optional<ObjectNode> cluster() {
        return management().get(imports.clusterPath());
    }

    public Optional<ObjectNode> workloadCluster() {
        return management().get(API + namespace() + "/workloadclusters/" + name());
    }

    public String workloadClusterPath() {
        return API + namespace() + "/workloadclusters/" + name();
    }

    /** Puts an object of Cluster API or a provider, with the cluster's label and these finalizers. */
    public ObjectNode descendant(String kind, String object, String... finalizers) {
        boolean infrastructure = kind.startsWith("Dev");
        String group = infrastructure ? "infrastructure.cluster.x-k8s.io" : "cluster.x-k8s.io";
        String spec = infrastructure
                ? "{backend: {inMemory: {}}}"
                : "{clusterName: " + name()
                        + ", bootstrap: {dataSecretName: x}, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io,"
                        + " kind: DevMachine, name: x}}";
        return management()
                .create(
                        descendants(kind),
                        ImportLab.yaml(
                                "apiVersion: " + group + "/v1beta2\nkind: " + kind + "\nmetadata: {name: " + object
                                        + ", labels: {cluster.x-k8s.io/cluster-name: " + name() + "}, finalizers: ["
                                        + String.join(", ", finalizers) + "]}\nspec: " + spec + "\n"))
                .orElseThrow();
    }

    public String descendants(String kind) {
        String group = kind.startsWith("Dev") ? "infrastructure.cluster.x-k8s.io" : "cluster.x-k8s.io";
        return "/apis/" + group + "/v1beta2/namespaces/" + namespace() + "/" + kind.toLowerCase(java.util.Locale.ROOT)
                + "s";
    }

    /** Puts a secret with that label. */
    public void secret(String secret, String type, String cluster) {
        management()
                .applyYaml(
                        "apiVersion: v1\nkind: Secret\ntype: " + type + "\nmetadata: {name: " + secret
                                + ", labels: {cluster.x-k8s.io/cluster-name: " + cluster + "}}\n",
                        namespace());
    }

    public Optional<ObjectNode> secret(String secret) {
        return management().get("/api/v1/namespaces/" + namespace() + "/secrets/" + secret);
    }

    /** Plays Cluster API's part: whatever is left of the Cluster goes, but for what others hold. */
    public void clusterApiFinishes() {
        for (String kind : List.of("Machine", "DevMachine", "DevCluster")) {
            management().list(descendants(kind)).forEach(object -> {
                String path =
                        descendants(kind) + "/" + object.at("/metadata/name").asText();
                management().merge(path, "{\"metadata\": {\"finalizers\": null}}");
                management().delete(path);
            });
        }
    }

    /** Plays the namespace controller's part in the workload cluster, which has none. */
    public void namespaceGoes() {
        KubeClient client = KubeClient.of(ImportLab.workloadPlane().apiClient());
        client.get(ResourceType.NAMESPACES, "", imports.sentry().namespace())
                .filter(KubeObject::deleting)
                .ifPresent(namespace -> client.emptySpecFinalizers(ResourceType.NAMESPACES, namespace));
    }

    /** What the receipt says of an object. */
    public Optional<Entry> entry(String what) {
        return book.entries("flow").stream()
                .filter(entry -> entry.what().equals(what))
                .findFirst();
    }

    public Optional<Fate> fate(String what) {
        return entry(what).map(Entry::fate);
    }

    public ReceiptBook receipts() {
        return book;
    }

    /** The receipts that were told in Events. */
    public List<Receipt> announced() {
        return announced;
    }

    private PhaseContext phaseContext(String bean, Instant now) {
        String phase = Character.toUpperCase(bean.charAt(0)) + bean.substring(1);
        return new PhaseContext(
                ref, "cluster-delete", "flow", phase, 1, since, now, Duration.ofSeconds(30), Map.copyOf(facts));
    }

    private AnnotationConfigApplicationContext beans() {
        if (beans == null) {
            beans = context(PlatformLab.client());
        }
        return beans;
    }

    private AnnotationConfigApplicationContext context(KubeClient client) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
        context.registerBean(KubeClient.class, () -> client);
        context.registerBean(WorkloadClusters.class, RealWorkloads::clusters);
        context.registerBean(SentrySettings.class, imports::sentry);
        context.registerBean(PlatformSettings.class, () -> new PlatformSettings(PlatformSettings.Api.REQUIRED));
        context.registerBean(
                ImportSettings.class,
                () -> new ImportSettings(
                        true, "", Policy.AUTO, Duration.ofMinutes(10), "", false, Duration.ofMinutes(10)));
        context.registerBean(
                DeletionSettings.class,
                () -> new DeletionSettings(
                        Duration.ofMinutes(10), whenUnreachable, Duration.ofMinutes(20), Duration.ofMinutes(30)));
        context.registerBean(ReceiptBook.class, () -> book);
        context.registerBean(ReceiptEvents.class, () -> (receipt, subject) -> announced.add(receipt));
        context.registerBean(OtherFlows.class, () -> uid -> List.copyOf(building));
        context.scan(
                "dev.slipway.delegates",
                "dev.slipway.deletion",
                "dev.slipway.imports",
                "dev.slipway.sentry",
                "dev.slipway.platform",
                "dev.slipway.cluster");
        context.refresh();
        return context;
    }

    @Override
    public void close() {
        if (declared && workloadCluster().isPresent()) {
            management().merge(workloadClusterPath(), "{\"metadata\": {\"finalizers\": null}}");
            management().delete(workloadClusterPath());
        }
        imports.close();
        if (beans != null) {
            beans.close();
        }
    }
}
