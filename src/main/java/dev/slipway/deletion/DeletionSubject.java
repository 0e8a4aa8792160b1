package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.Optional;

/**
 * What is deleted, as just read live.
 *
 * @param ref how the flow names it
 * @param kind what the flow is about
 * @param declared the WorkloadCluster; empty if there is none, or no more
 * @param cluster the Cluster API Cluster of that life; empty if there is none, or no more
 * @param nameTaken whether a Cluster of that name is there that is another one: what carries the name may be that one's
 * @param clusterApi whether the management cluster serves Clusters: without it nobody knows
 */
public record DeletionSubject(
        ClusterRef ref,
        Kind kind,
        Optional<KubeObject> declared,
        Optional<CapiCluster> cluster,
        boolean nameTaken,
        boolean clusterApi) {

    /** What a deletion is about. */
    public enum Kind {
        /** A WorkloadCluster, with the Cluster that was made for it. */
        WORKLOAD_CLUSTER,
        /** A Cluster that nobody declared: it was only imported. */
        CLUSTER
    }

    /** {@code WorkloadCluster <namespace>/<name>} or {@code Cluster <namespace>/<name>}. */
    public String display() {
        return (kind == Kind.WORKLOAD_CLUSTER ? "WorkloadCluster " : "Cluster ") + ref.display();
    }

    /** The object that the deletion is about; empty once it is gone. */
    public Optional<KubeObject> object() {
        return kind == Kind.WORKLOAD_CLUSTER ? declared : cluster.map(CapiCluster::object);
    }

    /** How the object is named for {@code kubectl}. */
    public String kubectl() {
        ResourceType type = ResourceType.WORKLOAD_CLUSTERS;
        return (kind == Kind.WORKLOAD_CLUSTER ? type.display() : "clusters.cluster.x-k8s.io") + " " + ref.name()
                + " -n " + ref.namespace();
    }

    /** The Cluster as the import knows it. */
    public Optional<ImportTarget> target() {
        return cluster.map(found -> new ImportTarget(ref, found));
    }

    /** When Kubernetes was asked to delete the object; empty if it was not, or the object is gone. */
    public Optional<Instant> deletionRequested() {
        return object().flatMap(found -> found.text("metadata", "deletionTimestamp"))
                .map(Instant::parse);
    }
}
