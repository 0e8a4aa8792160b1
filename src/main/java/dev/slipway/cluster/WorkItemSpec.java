package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shall be installed on a workload cluster: the fields of the custom resource WorkItem.
 *
 * <p>Defaults are filled in here as well as by the API server.
 *
 * @param clusterRef on which cluster
 * @param chart a Helm chart; null for manifests
 * @param manifests plain objects; null for a chart
 * @param releaseName what it is called there; null for the work item's name
 * @param namespace the namespace there
 * @param createNamespace whether that namespace is made if it is absent
 * @param values values of the chart, the strongest; null for none
 * @param valuesFrom ConfigMaps and Secrets with values, the weakest first
 * @param timeout how long its objects may take to become ready
 * @param blocking whether init waits for it
 * @param dependsOn work items of the same cluster that are installed first
 * @param dryRun whether only a plan is made
 * @param paused whether nothing is begun for it
 */
public record WorkItemSpec(
        ItemClusterRef clusterRef,
        @Nullable Chart chart,
        @Nullable ItemManifests manifests,
        @Nullable String releaseName,
        String namespace,
        Boolean createNamespace,
        @Nullable JsonNode values,
        List<ValuesFrom> valuesFrom,
        Duration timeout,
        Boolean blocking,
        List<String> dependsOn,
        boolean dryRun,
        boolean paused) {

    /** How long objects may take to become ready unless given. */
    static final Duration TIMEOUT = Duration.ofMinutes(10);

    public WorkItemSpec(
            @Nullable ItemClusterRef clusterRef,
            @Nullable Chart chart,
            @Nullable ItemManifests manifests,
            @Nullable String releaseName,
            @Nullable String namespace,
            @Nullable Boolean createNamespace,
            @Nullable JsonNode values,
            @Nullable List<ValuesFrom> valuesFrom,
            @Nullable Duration timeout,
            @Nullable Boolean blocking,
            @Nullable List<String> dependsOn,
            boolean dryRun,
            boolean paused) {
        this.clusterRef = clusterRef == null ? new ItemClusterRef("") : clusterRef;
        this.chart = chart;
        this.manifests = manifests;
        this.releaseName = releaseName;
        this.namespace = orElse(namespace, "default");
        this.createNamespace = createNamespace == null ? Boolean.TRUE : createNamespace;
        this.values = values;
        this.valuesFrom = valuesFrom == null ? List.of() : List.copyOf(valuesFrom);
        this.timeout = timeout == null ? TIMEOUT : timeout;
        this.blocking = blocking == null ? Boolean.TRUE : blocking;
        this.dependsOn = dependsOn == null ? List.of() : List.copyOf(dependsOn);
        this.dryRun = dryRun;
        this.paused = paused;
    }

    static String orElse(@Nullable String text, String otherwise) {
        return text == null || text.isEmpty() ? otherwise : text;
    }

    /**
     * The cluster on which a work item is installed.
     *
     * @param name a WorkloadCluster or a Cluster of Cluster API in the same namespace
     */
    public record ItemClusterRef(String name) {

        public ItemClusterRef {
            name = orElse(name, "");
        }
    }

    /**
     * A Helm chart in a repository.
     *
     * @param repository {@code https://} or {@code oci://}
     * @param name the chart's name
     * @param version an exact version or a constraint; null for the newest release
     * @param caSecretRef the only CAs to trust; null for the system's
     * @param caConfigMapRef the same in a ConfigMap
     * @param credentialsSecretRef user name and password, or a token; null for none
     */
    public record Chart(
            String repository,
            String name,
            @Nullable String version,
            @Nullable CaRef caSecretRef,
            @Nullable CaRef caConfigMapRef,
            @Nullable CredentialsRef credentialsSecretRef) {

        public Chart {
            repository = orElse(repository, "");
            name = orElse(name, "");
        }
    }

    /**
     * Where CAs stand as PEM.
     *
     * @param name the Secret or ConfigMap
     * @param key the key, {@code ca.crt} unless given
     */
    public record CaRef(String name, String key) {

        public CaRef {
            name = orElse(name, "");
            key = orElse(key, "ca.crt");
        }
    }

    /**
     * Who we are for a repository.
     *
     * @param name a Secret with {@code username} and {@code password}, or {@code token}
     */
    public record CredentialsRef(String name) {

        public CredentialsRef {
            name = orElse(name, "");
        }
    }

    /**
     * Plain Kubernetes objects, from exactly one source.
     *
     * @param inline the YAML itself
     * @param configMapRef a ConfigMap that holds it
     * @param url {@code https://} of a file with it
     * @param sha256 that file's SHA-256 in hex
     * @param caSecretRef the only CAs to trust for the URL; null for the system's
     * @param caConfigMapRef the same in a ConfigMap
     */
    public record ItemManifests(
            @Nullable String inline,
            @Nullable ManifestsRef configMapRef,
            @Nullable String url,
            @Nullable String sha256,
            @Nullable CaRef caSecretRef,
            @Nullable CaRef caConfigMapRef) {}

    /**
     * A ConfigMap with manifests.
     *
     * @param name the ConfigMap
     * @param key the key, {@code manifests.yaml} unless given
     */
    public record ManifestsRef(String name, String key) {

        public ManifestsRef {
            name = orElse(name, "");
            key = orElse(key, "manifests.yaml");
        }
    }

    /**
     * Values of a chart from another object.
     *
     * @param kind what it is
     * @param name its name
     * @param key the key, {@code values.yaml} unless given
     * @param optional whether it may be absent
     */
    public record ValuesFrom(ValuesKind kind, String name, String key, boolean optional) {

        public ValuesFrom(@Nullable ValuesKind kind, @Nullable String name, @Nullable String key, boolean optional) {
            this.kind = kind == null ? ValuesKind.ConfigMap : kind;
            this.name = orElse(name, "");
            this.key = orElse(key, "values.yaml");
            this.optional = optional;
        }
    }

    /** What values can come from; the names are Kubernetes' own. */
    public enum ValuesKind {
        ConfigMap,
        Secret
    }
}
