package dev.slipway.workitem;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds work items, live, and makes sure that they are still the same ones. */
@Component
public class LiveItems {

    private final LiveReader reader;

    public LiveItems(LiveReader reader) {
        this.reader = reader;
    }

    /** The object of the flow; empty if it is absent or another one. Its spec may be unreadable. */
    public Optional<KubeObject> object(ClusterRef ref) {
        return reader.get(ResourceType.WORK_ITEMS, ref.namespace(), ref.name())
                .filter(object -> object.uid().equals(ref.uid()));
    }

    /**
     * The work item of the flow.
     *
     * @throws Failure IDENTITY {@code WorkItemGone}; INVALID if it cannot be read
     */
    public WorkItem declared(PhaseContext context) {
        return object(context.cluster())
                .map(WorkItem::of)
                .orElseThrow(() -> new Failure(
                        ErrorClass.IDENTITY,
                        "WorkItemGone",
                        "WorkItem " + context.cluster().display() + " does not exist any more, or was made anew",
                        List.of("Abort the flow: nothing is left to work on"),
                        null,
                        null));
    }

    /** The work items of a cluster, those that are being deleted included; one that cannot be read is left out. */
    public List<WorkItem> ofCluster(String namespace, String cluster) {
        List<WorkItem> items = new ArrayList<>();
        for (KubeObject object : reader.list(ResourceType.WORK_ITEMS, namespace, Map.of())) {
            if (cluster.equals(object.at("spec", "clusterRef", "name").asText())) {
                readable(object).ifPresent(items::add);
            }
        }
        return items;
    }

    /** What a phase that makes things answers while its work item is being deleted. */
    public static Outcome waitForDeletion(WorkItem item) {
        return Outcome.waiting("WaitingForDeletion", item.display() + " is being deleted: nothing more is made for it");
    }

    private static Optional<WorkItem> readable(KubeObject object) {
        try {
            return Optional.of(WorkItem.of(object));
        } catch (Failure unreadable) {
            // Its own flow says what is wrong with it.
            return Optional.empty();
        }
    }
}
