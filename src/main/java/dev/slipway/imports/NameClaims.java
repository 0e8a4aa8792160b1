package dev.slipway.imports;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * Which of several Clusters of one name has it in the platform, which knows clusters by name alone.
 *
 * <p>The one that the platform's record was made for; else one that is imported, or whose import has begun; else the
 * oldest of those that are to be imported.
 */
@Component
public class NameClaims {

    private static final int RECORDED = 3;
    private static final int IMPORTED = 2;
    private static final int BEGUN = 1;
    private static final int WISHED = 0;

    private final LiveReader reader;

    public NameClaims(LiveReader reader) {
        this.reader = reader;
    }

    /**
     * Finds the other Cluster that has the name of this one.
     *
     * @param refused whether a Cluster is not to be imported
     */
    public Optional<KubeObject> holder(ImportTarget target, Platform platform, Predicate<KubeObject> refused) {
        String recorded =
                platform.cluster(target.name()).flatMap(PlatformCluster::flow).orElse("");
        Comparator<KubeObject> strongest = Comparator.comparingInt((KubeObject cluster) -> -claim(cluster, recorded))
                .thenComparing(cluster -> cluster.created().orElse(Instant.MAX))
                .thenComparing(KubeObject::uid);
        return reader.find(ClusterApi.GROUP, "Cluster")
                .flatMap(type -> reader.list(type, "", Map.of()).stream()
                        .filter(cluster -> cluster.name().equals(target.name()))
                        .filter(cluster -> cluster.uid().equals(target.cluster().uid())
                                || claim(cluster, recorded) > WISHED
                                || !refused.test(cluster))
                        .min(strongest))
                .filter(holder -> !holder.uid().equals(target.cluster().uid()));
    }

    private static int claim(KubeObject cluster, String recorded) {
        if (ImportTarget.refOf(cluster).businessKey().equals(recorded)) {
            return RECORDED;
        }
        if (ImportInvariants.imported(cluster)) {
            return IMPORTED;
        }
        return cluster.finalizers().contains(ImportTarget.FINALIZER) ? BEGUN : WISHED;
    }
}
