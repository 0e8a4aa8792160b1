package dev.slipway.deletion;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.Pause;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** What pauses a cluster that is deleted: finds it, and ends it. */
@Component
public class ClusterPause {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final DeletionReceipt receipt;

    public ClusterPause(LiveReader reader, KubeWriter writer, DeletionReceipt receipt) {
        this.reader = reader;
        this.writer = writer;
        this.receipt = receipt;
    }

    /** All that pauses it, for people. */
    public List<String> of(DeletionSubject subject) {
        List<String> pauses = new ArrayList<>();
        subject.declared()
                .filter(object -> object.at("spec", "paused").asBoolean())
                .ifPresent(object -> pauses.add("spec.paused of the WorkloadCluster is true"));
        subject.cluster().ifPresent(cluster -> Pause.of(cluster)
                .forEach(pause -> pauses.add(cluster.display() + ": " + pause.what() + pause.who())));
        return pauses;
    }

    /** Lets Cluster API go on with the Cluster, and notes what it was paused by; gives it as stored. */
    public CapiCluster end(PhaseContext context, CapiCluster cluster) {
        List<String> what = Pause.of(cluster).stream().map(Pause::what).toList();
        receipt.note(context, "Pause of " + cluster.display(), Fate.RELEASED, String.join("; ", what));
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata").put("uid", cluster.uid());
        if (cluster.object().annotations().containsKey(CapiCluster.PAUSED)) {
            metadata.putObject("annotations").putNull(CapiCluster.PAUSED);
        }
        if (cluster.object().at("spec", "paused").asBoolean()) {
            patch.putObject("spec").put("paused", false);
        }
        return new CapiCluster(writer.mergePatch(
                reader.find(ClusterApi.GROUP, "Cluster").orElseThrow(), cluster.namespace(), cluster.name(), patch));
    }
}
