package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Finds what a namespace and a name mean: the WorkloadCluster, or else the Cluster of Cluster API.
 *
 * <p>All reads are live.
 */
@Component
class ClusterResolver {

    private final LiveReader reader;
    private final ClusterApi api;

    ClusterResolver(LiveReader reader, ClusterApi api) {
        this.reader = reader;
        this.api = api;
    }

    /** Which object stands for a cluster. */
    enum Origin {
        /** Slipway's own resource: Slipway builds the cluster. */
        WORKLOAD_CLUSTER("WorkloadCluster"),
        /** A Cluster of Cluster API that somebody else made: Slipway imports it only. */
        CLUSTER("Cluster");

        private final String text;

        Origin(String text) {
            this.text = text;
        }

        @JsonValue
        String text() {
            return text;
        }
    }

    /**
     * A cluster as just read.
     *
     * @param object the WorkloadCluster, or the Cluster of Cluster API
     * @param ref how flows name it
     * @param origin which of the two it is
     */
    record Resolved(KubeObject object, ClusterRef ref, Origin origin) {

        static Resolved declared(KubeObject object) {
            ClusterRef ref = new ClusterRef(object.namespace(), object.name(), object.uid());
            return new Resolved(object, ref, Origin.WORKLOAD_CLUSTER);
        }

        static Resolved found(CapiCluster cluster) {
            return new Resolved(cluster.object(), ImportTarget.refOf(cluster.object()), Origin.CLUSTER);
        }

        boolean isDeclared() {
            return origin == Origin.WORKLOAD_CLUSTER;
        }
    }

    /**
     * Reads one.
     *
     * @throws ApiProblem 404 if there is neither
     */
    Resolved resolve(String namespace, String name) {
        return reader.get(ResourceType.WORKLOAD_CLUSTERS, namespace, name)
                .map(Resolved::declared)
                .or(() -> api.cluster(namespace, name).map(Resolved::found))
                .orElseThrow(() -> absent(namespace, name));
    }

    /** Reads a Cluster of Cluster API; empty if there is none. */
    Optional<Resolved> ofClusterApi(String namespace, String name) {
        return api.cluster(namespace, name).map(Resolved::found);
    }

    /** Reads all; of one namespace and name only the WorkloadCluster. */
    List<Resolved> all(List<String> namespaces) {
        List<Resolved> declared = namespaces.stream()
                .flatMap(namespace -> reader.list(ResourceType.WORKLOAD_CLUSTERS, namespace, Map.of()).stream())
                .map(Resolved::declared)
                .toList();
        Set<String> names = declared.stream().map(one -> one.ref().display()).collect(Collectors.toSet());
        Stream<Resolved> found = namespaces.stream()
                .flatMap(namespace -> api.clusters(namespace).stream())
                .map(Resolved::found)
                .filter(one -> !names.contains(one.ref().display()));
        return Stream.concat(declared.stream(), found).toList();
    }

    /**
     * Reads a Secret's keys, to know whether it can be used.
     *
     * @throws ApiProblem 422 if it is absent or lacks the key
     */
    void requireSecret(Resolved cluster, String name, String key) {
        String namespace = cluster.ref().namespace();
        Optional<KubeObject> secret = reader.get(ResourceType.SECRETS, namespace, name);
        if (secret.isEmpty() || secret.get().text("data", key).isEmpty()) {
            throw new ApiProblem(
                            HttpStatus.UNPROCESSABLE_ENTITY,
                            "SecretUnusable",
                            "The Secret " + namespace + "/" + name
                                    + (secret.isEmpty() ? " does not exist" : " has no key " + key))
                    .object(cluster.ref().display())
                    .field("secretName")
                    .remedy("Put the kubeconfig under the key " + key + " of a Secret in that namespace: kubectl -n "
                            + namespace + " create secret generic " + name + " --from-file=" + key + "=KUBECONFIG");
        }
    }

    private static ApiProblem absent(String namespace, String name) {
        return new ApiProblem(
                        HttpStatus.NOT_FOUND,
                        "ClusterNotFound",
                        "There is neither a WorkloadCluster nor a Cluster " + namespace + "/" + name)
                .object(namespace + "/" + name)
                .remedy("See GET /api/v1/clusters, or: kubectl get workloadclusters,clusters -A");
    }
}
