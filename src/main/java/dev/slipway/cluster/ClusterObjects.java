package dev.slipway.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Makes the objects of a cluster by server-side apply, or tells what it would make. */
@Component
public class ClusterObjects {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final Blueprints blueprints;

    public ClusterObjects(LiveReader reader, KubeWriter writer, Blueprints blueprints) {
        this.reader = reader;
        this.writer = writer;
        this.blueprints = blueprints;
    }

    /**
     * Applies all objects. As long as the Cluster is absent, all are validated by the server before the first is made.
     *
     * @return the Cluster as stored
     * @throws Failure INVALID with all problems; IDENTITY {@code ClusterNotOurs} or {@code ObjectNotOurs}
     */
    public CapiCluster apply(WorkloadCluster cluster) {
        List<Planned> objects = planned(cluster);
        boolean first = true;
        for (Planned planned : objects) {
            Optional<KubeObject> stored = stored(planned, cluster);
            first = first && !(planned.isCluster() && stored.isPresent());
        }
        if (first) {
            objects.forEach(planned -> writer.dryRunApply(planned.type(), planned.object()));
        }
        CapiCluster made = null;
        for (Planned planned : objects) {
            KubeObject stored = writer.apply(planned.type(), planned.object());
            made = planned.isCluster() ? new CapiCluster(stored) : made;
        }
        if (made == null) {
            throw new IllegalStateException("No Cluster among the objects of " + cluster.display());
        }
        return made;
    }

    /**
     * Asks the server what an apply would do.
     *
     * @return one line for each object: {@code create}, {@code change} or {@code keep}, and what
     */
    public List<String> plan(WorkloadCluster cluster) {
        List<String> lines = new ArrayList<>();
        for (Planned planned : planned(cluster)) {
            Optional<KubeObject> stored = stored(planned, cluster);
            KubeObject result = writer.dryRunApply(planned.type(), planned.object());
            String verb = stored.map(before -> same(before, result) ? "keep" : "change")
                    .orElse("create");
            lines.add(verb + " " + planned.display());
        }
        return lines;
    }

    /** Refuses to take over a Cluster that Slipway did not make for this WorkloadCluster. */
    public static void requireOurs(WorkloadCluster cluster, CapiCluster existing) {
        requireOurs(cluster, existing.object(), existing.display(), "ClusterNotOurs");
    }

    private List<Planned> planned(WorkloadCluster cluster) {
        Findings findings = new Findings();
        List<Planned> objects = blueprints.of(cluster, findings);
        findings.throwIfRefused(cluster);
        return objects;
    }

    private Optional<KubeObject> stored(Planned planned, WorkloadCluster cluster) {
        Optional<KubeObject> stored =
                reader.get(planned.type(), cluster.namespace(), planned.object().name());
        stored.ifPresent(object -> requireOurs(
                cluster, object, planned.display(), planned.isCluster() ? "ClusterNotOurs" : "ObjectNotOurs"));
        return stored;
    }

    private static void requireOurs(WorkloadCluster cluster, KubeObject stored, String display, String code) {
        if (!Planned.madeFor(stored, cluster)) {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    code,
                    display + " in namespace " + stored.namespace() + " (UID " + stored.uid()
                            + ") exists and was not made for " + cluster.display() + " (UID " + cluster.uid() + ")"
                            + owners(stored),
                    List.of(
                            "Choose another name for the WorkloadCluster",
                            "Or delete " + display + " if nobody needs it; the phase then goes on by itself"),
                    null,
                    null);
        }
    }

    private static String owners(KubeObject stored) {
        List<String> owners = new ArrayList<>();
        stored.at("metadata", "ownerReferences")
                .forEach(owner -> owners.add(
                        owner.path("kind").asText() + " " + owner.path("name").asText()));
        return owners.isEmpty() ? "; it has no owner" : "; it belongs to " + String.join(", ", owners);
    }

    private static boolean same(KubeObject before, KubeObject after) {
        return comparable(before).equals(comparable(after));
    }

    private static ObjectNode comparable(KubeObject object) {
        ObjectNode json = object.json().deepCopy();
        json.withObjectProperty("metadata").remove(List.of("managedFields", "resourceVersion", "generation"));
        return json;
    }
}
