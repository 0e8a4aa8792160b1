package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.deletion.DeletionSubject.Kind;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Finds what a deletion is about, live. What is gone is no failure here, and an object of the same name that was made
 * since is another one.
 */
@Component
public class DeletionSubjects {

    /** The annotation of a Cluster that was detached: the UID of the WorkloadCluster that it was built for. */
    public static final String DETACHED_FROM = WorkloadCluster.ANNOTATION_PREFIX + "detached-from";

    private final LiveReader reader;
    private final ClusterApi api;

    public DeletionSubjects(LiveReader reader, ClusterApi api) {
        this.reader = reader;
        this.api = api;
    }

    /** Reads it for a phase. */
    public DeletionSubject read(PhaseContext context) {
        boolean bare =
                context.fact(DeletionFacts.SUBJECT).filter("Cluster"::equals).isPresent();
        return read(
                context.cluster(),
                bare ? Kind.CLUSTER : Kind.WORKLOAD_CLUSTER,
                context.fact(DeletionFacts.CLUSTER_UID));
    }

    /** Reads it for a preview, before there is any flow. */
    public DeletionSubject read(ClusterRef ref) {
        Kind kind = declared(ref).isPresent() ? Kind.WORKLOAD_CLUSTER : Kind.CLUSTER;
        return read(ref, kind, Optional.empty());
    }

    private DeletionSubject read(ClusterRef ref, Kind kind, Optional<String> clusterUid) {
        Optional<KubeObject> declared = kind == Kind.CLUSTER ? Optional.empty() : declared(ref);
        Optional<CapiCluster> named = api.cluster(ref.namespace(), ref.name());
        Optional<CapiCluster> cluster =
                named.filter(found -> clusterUid.map(found.uid()::equals).orElseGet(() -> isOf(ref, found.object())));
        boolean served =
                named.isPresent() || reader.find(ClusterApi.GROUP, "Cluster").isPresent();
        return new DeletionSubject(ref, kind, declared, cluster, named.isPresent() && cluster.isEmpty(), served);
    }

    private Optional<KubeObject> declared(ClusterRef ref) {
        return reader.get(ResourceType.WORKLOAD_CLUSTERS, ref.namespace(), ref.name())
                .filter(object -> object.uid().equals(ref.uid()));
    }

    private static boolean isOf(ClusterRef ref, KubeObject cluster) {
        return ImportTarget.refOf(cluster).uid().equals(ref.uid())
                || ref.uid().equals(cluster.annotations().get(DETACHED_FROM));
    }
}
