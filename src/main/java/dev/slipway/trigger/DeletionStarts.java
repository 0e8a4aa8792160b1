package dev.slipway.trigger;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.status.ClusterEvents;
import dev.slipway.status.Happening;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the deletion of an object whose deletion was requested in Kubernetes: for both triggers alike.
 *
 * <ul>
 *   <li>Once: the trigger key names the object, so the database decides between nodes.
 *   <li>Its start ends the flows that build; where nothing was made, or the flow is not drawn, those are only told.
 *   <li>A deletion that an operator aborted is not started again, unless the object was deleted only after that.
 * </ul>
 */
final class DeletionStarts {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionStarts.class);
    private static final String STARTED_BY = "slipway";
    private static final String PLANNED = "Planned";
    private static final String IMPORTED = "Imported";
    /** A deletion that has ended leaves an object alone for so long, should it still be there. */
    private static final Duration AGAIN = Duration.ofMinutes(5);

    private final Flows flows;
    private final LiveReader reader;
    private final ClusterEvents events;
    private final InstantSource clock;

    DeletionStarts(Flows flows, LiveReader reader, ClusterEvents events, InstantSource clock) {
        this.flows = flows;
        this.reader = reader;
        this.events = events;
        this.clock = clock;
    }

    /** A WorkloadCluster is being deleted. */
    void workloadCluster(KubeObject object, ClusterRef ref) {
        if (object.finalizers().contains(WorkloadCluster.FINALIZER)) {
            start(object, ref, ResourceType.WORKLOAD_CLUSTERS.kind());
        } else {
            // It was never ours to keep: it goes, or others keep it.
            tell(ref);
        }
    }

    /** A Cluster of Cluster API is being deleted: by its WorkloadCluster's deletion, by a person, or by a garbage collection. */
    void cluster(KubeObject object, ClusterRef ref) {
        // One that was removed by force, without its finalizer, deletes nothing any more.
        Optional<KubeObject> owner = ImportTarget.workloadClusterOf(object, reader);
        if (owner.isPresent()) {
            // Its own deletion sees to it, which may still have to be asked for.
            owner.filter(declared -> !declared.deleting()).ifPresent(declared -> warn(declared, object));
            return;
        }
        if (wasImported(object, ref)) {
            start(object, ref, object.kind());
        } else {
            tell(ref);
        }
    }

    private void warn(KubeObject owner, KubeObject cluster) {
        events.recordOnce(
                owner,
                Happening.warning(
                        "ClusterDeletedByHand",
                        "The Cluster " + cluster.namespace() + "/" + cluster.name()
                                + " of Cluster API is being deleted since "
                                + cluster.text("metadata", "deletionTimestamp").orElse("")
                                + ", but its WorkloadCluster is not. What can be done: 1. Delete the WorkloadCluster"
                                + " too: then Slipway sees the deletion through, and releases the Cluster"));
    }

    /** An object is gone: what builds it has nothing left to work on; what deletes it goes on. */
    void gone(ClusterRef ref) {
        tell(ref);
    }

    /** Whether something outside of the Cluster may be left of its import. */
    private boolean wasImported(KubeObject cluster, ClusterRef ref) {
        if (cluster.finalizers().contains(ImportTarget.FINALIZER) || ImportInvariants.imported(cluster)) {
            return true;
        }
        List<FlowView> latest = flows.latest(ref.uid());
        Optional<FlowView> imports = find(latest, Flows.IMPORT).filter(flow -> IMPORTED.equals(flow.result()));
        Optional<FlowView> deletion = find(latest, Flows.DELETE);
        return imports.isPresent()
                && deletion.filter(
                                flow -> flow.startedAt().isAfter(imports.get().startedAt()))
                        .isEmpty();
    }

    private void start(KubeObject object, ClusterRef ref, String subject) {
        Optional<String> key = key(object, ref);
        if (key.isEmpty()) {
            return;
        }
        try {
            FlowView flow = flows.start(
                    Flows.DELETE,
                    ref,
                    STARTED_BY,
                    key.get(),
                    Map.of(DeletionFacts.BY, "kubernetes", DeletionFacts.SUBJECT, subject));
            LOG.info("Started flow {} with id {}", flow.kind(), flow.id());
        } catch (Flows.FlowConflict e) {
            // Another node, or a person, was first.
            LOG.debug("Not started: {}", e.getMessage());
        } catch (Flows.UnknownFlow e) {
            LOG.error("No deletion is started: {}", e.getMessage());
            tell(ref);
        }
    }

    private Optional<String> key(KubeObject object, ClusterRef ref) {
        Optional<FlowView> last = find(flows.latest(ref.uid()), Flows.DELETE);
        String first = ref.uid() + "/delete/requested";
        if (last.isEmpty()) {
            return Optional.of(first);
        }
        FlowView deletion = last.get();
        Instant ended = deletion.endedAt();
        if (deletion.state() == FlowState.RUNNING || ended == null) {
            return Optional.empty();
        }
        Instant requested =
                Instant.parse(object.text("metadata", "deletionTimestamp").orElseThrow());
        // A person's deletion ended before Kubernetes was asked for one: that is another request.
        boolean another = !STARTED_BY.equals(deletion.startedBy()) && requested.isAfter(ended);
        if (PLANNED.equals(deletion.result()) || another) {
            return Optional.of(ref.uid() + "/delete/after-" + deletion.id());
        }
        // It ended and left the object with the finalizer: an answer must have been lost.
        boolean lives =
                deletion.state() == FlowState.COMPLETED && !clock.instant().isBefore(ended.plus(AGAIN));
        return lives ? Optional.of(ref.uid() + "/delete/after-" + deletion.id()) : Optional.empty();
    }

    private void tell(ClusterRef ref) {
        boolean builds = flows.active(ref.uid()).stream().anyMatch(flow -> !FlowKinds.deletes(flow.kind()));
        if (builds) {
            LOG.info("Telling flows that deletion was requested");
            flows.requestDelete(ref.uid());
        }
    }

    private static Optional<FlowView> find(List<FlowView> flows, String kind) {
        return flows.stream().filter(flow -> flow.kind().equals(kind)).findFirst();
    }
}
