package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Decides whether a WorkloadCluster can be built, and says everything that is against it. */
@Component
public class Admission {

    private final LiveReader reader;
    private final Blueprints blueprints;
    private final NameScope names;

    public Admission(LiveReader reader, Blueprints blueprints, NameScope names) {
        this.reader = reader;
        this.blueprints = blueprints;
        this.names = names;
    }

    /** Checks the object itself, what it refers to, and its name; writes nothing. */
    public Findings check(WorkloadCluster cluster) {
        Findings findings = new Findings();
        SpecRules.check(cluster, findings);
        nameInPlatform(cluster, findings);
        blueprints.of(cluster, findings);
        return findings;
    }

    /** A platform knows clusters by name alone: where there is one, the first of a name keeps it. */
    private void nameInPlatform(WorkloadCluster cluster, Findings findings) {
        if (!names.acrossNamespaces()) {
            return;
        }
        for (KubeObject other : reader.list(ResourceType.WORKLOAD_CLUSTERS, "", Map.of())) {
            if (other.name().equals(cluster.name()) && isEarlier(other, cluster.object())) {
                findings.problem(
                        "NameTaken",
                        "metadata.name",
                        "the platform knows clusters by name only, and " + other.namespace() + "/" + other.name()
                                + " has this one",
                        "Choose a name that no other namespace uses");
            }
        }
    }

    private static boolean isEarlier(KubeObject other, KubeObject object) {
        if (other.uid().equals(object.uid())) {
            return false;
        }
        int order =
                other.created().orElse(Instant.MAX).compareTo(object.created().orElse(Instant.MAX));
        return order < 0 || (order == 0 && other.uid().compareTo(object.uid()) < 0);
    }
}
