package dev.slipway.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a workload cluster shall be: the fields of the custom resource, field by field.
 *
 * <p>Defaults are filled in here as well as by the API server, for objects that came in before a default existed.
 *
 * @param version the Kubernetes version, for example {@code v1.36.3}
 * @param controlPlaneEndpoint where the API server answers; null if the infrastructure provider gives it
 * @param clusterNetwork the addresses inside the cluster; null for the provider's defaults
 * @param topology the cluster as an instance of a ClusterClass; null if a template is used
 * @param templateRef the cluster as manifests; null if a topology is used
 * @param certificates how certificates are made
 * @param workers when workers count as joined
 * @param paused whether the flow waits before it makes anything
 * @param dryRun whether only a plan is made
 * @param deletion what happens when the object is deleted
 * @param workItems charts and manifests that belong to the cluster
 */
public record WorkloadClusterSpec(
        String version,
        @Nullable Endpoint controlPlaneEndpoint,
        @Nullable ClusterNetwork clusterNetwork,
        @Nullable Topology topology,
        @Nullable TemplateRef templateRef,
        Certificates certificates,
        Workers workers,
        boolean paused,
        boolean dryRun,
        Deletion deletion,
        List<DeclaredItem> workItems) {

    public WorkloadClusterSpec {
        version = orElse(version, "");
        certificates = certificates == null ? new Certificates(null, null, null, null) : certificates;
        workers = workers == null ? new Workers(null) : workers;
        deletion = deletion == null ? new Deletion(null, false, null) : deletion;
        workItems = workItems == null ? List.of() : List.copyOf(workItems);
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    /**
     * Where the API server answers.
     *
     * @param host a host name or an IP address
     * @param port 6443 unless given
     */
    public record Endpoint(String host, Integer port) {

        public Endpoint {
            host = orElse(host, "");
            port = port == null ? Integer.valueOf(6443) : port;
        }

        /** {@code host:port}, with brackets around an IPv6 address. */
        public String display() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * The addresses inside the cluster.
     *
     * @param pods the addresses of pods; null for the provider's default
     * @param services the addresses of services; null for the provider's default
     * @param serviceDomain the DNS domain of services; null for the provider's default
     */
    public record ClusterNetwork(@Nullable Ranges pods, @Nullable Ranges services, @Nullable String serviceDomain) {}

    /**
     * Ranges of addresses.
     *
     * @param cidrBlocks each in CIDR notation
     */
    public record Ranges(List<String> cidrBlocks) {

        public Ranges {
            cidrBlocks = cidrBlocks == null ? List.of() : List.copyOf(cidrBlocks);
        }
    }

    /**
     * The cluster as an instance of a ClusterClass.
     *
     * @param className the name of the ClusterClass
     * @param classNamespace its namespace; null for the cluster's own
     * @param controlPlane the control plane machines; null if the class decides
     * @param workers groups of workers
     * @param variables values for the variables of the class
     */
    public record Topology(
            @JsonProperty("class") String className,
            @Nullable String classNamespace,
            @Nullable ControlPlane controlPlane,
            List<WorkerGroup> workers,
            List<Variable> variables) {

        public Topology {
            className = orElse(className, "");
            workers = workers == null ? List.of() : List.copyOf(workers);
            variables = variables == null ? List.of() : List.copyOf(variables);
        }
    }

    /**
     * The control plane machines.
     *
     * @param replicas how many, odd; null if the class decides
     */
    public record ControlPlane(@Nullable Integer replicas) {}

    /**
     * A group of workers.
     *
     * @param className a machine deployment class of the ClusterClass
     * @param name unique in the cluster
     * @param replicas how many; null if the class decides
     */
    public record WorkerGroup(@JsonProperty("class") String className, String name, @Nullable Integer replicas) {

        public WorkerGroup {
            className = orElse(className, "");
            name = orElse(name, "");
        }
    }

    /**
     * A value for a variable of the class.
     *
     * @param name the variable's name
     * @param value any JSON that the class accepts
     */
    public record Variable(String name, JsonNode value) {

        public Variable {
            name = orElse(name, "");
        }
    }

    /**
     * The cluster as manifests in a ConfigMap of the same namespace.
     *
     * @param name the ConfigMap
     * @param key the key with the manifests, {@code template.yaml} unless given
     * @param variables values for <code>${NAME}</code> in the manifests
     */
    public record TemplateRef(String name, String key, Map<String, String> variables) {

        public TemplateRef {
            name = orElse(name, "");
            key = orElse(key, "template.yaml");
            variables = variables == null ? Map.of() : Map.copyOf(variables);
        }
    }

    /**
     * How certificates are made.
     *
     * @param keyAlgorithm RSA unless given
     * @param keySize bits; 2048 for RSA and 256 for ECDSA unless given
     * @param caValidity how long new CAs are valid, ten years unless given
     * @param clientValidity how long new client certificates are valid, one year unless given
     */
    public record Certificates(
            KeyAlgorithm keyAlgorithm, Integer keySize, Duration caValidity, Duration clientValidity) {

        public Certificates(
                @Nullable KeyAlgorithm keyAlgorithm,
                @Nullable Integer keySize,
                @Nullable Duration caValidity,
                @Nullable Duration clientValidity) {
            this.keyAlgorithm = keyAlgorithm == null ? KeyAlgorithm.RSA : keyAlgorithm;
            this.keySize = keySize == null ? this.keyAlgorithm.defaultSize() : keySize;
            this.caValidity = caValidity == null ? Duration.ofDays(3650) : caValidity;
            this.clientValidity = clientValidity == null ? Duration.ofDays(365) : clientValidity;
        }
    }

    /** The algorithms that keys can have. */
    public enum KeyAlgorithm {
        /** 2048, 3072 or 4096 bits. */
        RSA,
        /** The curves P-256 and P-384. */
        ECDSA;

        /** The sizes in bits that are allowed, the default first. */
        public List<Integer> sizes() {
            return this == RSA ? List.of(2048, 3072, 4096) : List.of(256, 384);
        }

        int defaultSize() {
            return sizes().get(0);
        }
    }

    /**
     * When workers count as joined.
     *
     * @param minimumReadyPercent the share of workers that must have joined, 100 unless given
     */
    public record Workers(Integer minimumReadyPercent) {

        public Workers(@Nullable Integer minimumReadyPercent) {
            this.minimumReadyPercent = minimumReadyPercent == null ? Integer.valueOf(100) : minimumReadyPercent;
        }
    }

    /**
     * What happens when the object is deleted.
     *
     * @param policy Full, Detach or Forget; null: what fits where the cluster comes from
     * @param isProtected whether nothing is deleted until this is taken off
     * @param paused what becomes of a pause
     */
    public record Deletion(@Nullable String policy, @JsonProperty("protected") boolean isProtected, WhenPaused paused) {

        public Deletion(@Nullable String policy, boolean isProtected, @Nullable WhenPaused paused) {
            this.policy = policy;
            this.isProtected = isProtected;
            this.paused = paused == null ? WhenPaused.UNPAUSE : paused;
        }
    }

    /** What becomes of a pause when a cluster is deleted. */
    public enum WhenPaused {
        /** It ends: nothing could be deleted otherwise. */
        @JsonProperty("unpause")
        UNPAUSE,
        /** A person is asked. */
        @JsonProperty("ask")
        ASK
    }
}
