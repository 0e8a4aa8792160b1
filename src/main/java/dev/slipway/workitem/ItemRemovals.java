package dev.slipway.workitem;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import dev.slipway.workitem.ItemClusters.Opened;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.springframework.stereotype.Component;

/** What the phases that remove a work item have in common: whether there is anything to do in the workload cluster. */
@Component
public class ItemRemovals {

    private static final String ABSENT = "ClusterAbsent";
    private static final Duration SECOND_LOOK = Duration.ofSeconds(5);

    private final LiveItems items;
    private final ItemClusters clusters;
    private final ItemReceipts receipts;

    public ItemRemovals(LiveItems items, ItemClusters clusters, ItemReceipts receipts) {
        this.items = items;
        this.clusters = clusters;
        this.receipts = receipts;
    }

    /** What the flow is about: as it was recorded, or else as the object says; empty if nobody knows. */
    public Optional<ItemRelease> release(PhaseContext context) {
        return ItemRelease.recorded(context)
                .or(() -> items.object(context.cluster()).flatMap(ItemRelease::possible));
    }

    /** Why the workload cluster is left alone; empty if it is not. */
    public Optional<String> skips(PhaseContext context) {
        for (Directive directive : new Directive[] {Directive.SKIP_REMOTE, Directive.FORCE}) {
            if (context.directive(directive).isPresent()) {
                String by = context.fact(directive.byFact()).orElse("an operator");
                return Optional.of(by + " decided " + directive.name());
            }
        }
        return items.object(context.cluster())
                .map(object -> object.annotations().getOrDefault(WorkItem.SKIP_REMOTE, ""))
                .filter(why -> !why.isEmpty())
                .map(why -> "the annotation " + WorkItem.SKIP_REMOTE + " says: " + why);
    }

    /**
     * Runs a step in the workload cluster, unless there is nothing to do there: a person said so, the cluster is gone, or
     * nothing can have been installed.
     */
    public Outcome in(PhaseContext context, BiFunction<ItemRelease, Opened, Outcome> step) {
        Optional<ItemRelease> known = release(context);
        if (known.isEmpty()) {
            return Outcome.done("nothing is known that could have been installed for it");
        }
        ItemRelease release = known.get();
        Optional<String> skips = skips(context);
        if (skips.isPresent()) {
            receipts.noteFirst(context, release.receipt(), Fate.SKIPPED, skips.get());
            return Outcome.done(skips.get() + ": " + release.display() + " is left alone");
        }
        String namespace = context.cluster().namespace();
        Optional<CapiCluster> cluster = clusters.find(namespace, release.cluster());
        if (cluster.isEmpty()) {
            return withoutCluster(context, release);
        }
        return clusters.neverRan(cluster.get())
                ? inUnfinished(context, cluster.get(), release, step)
                : clusters.in(cluster.get(), opened -> step.apply(release, opened));
    }

    /** What is said never to have run is looked at, but not waited for: it may never run. */
    private Outcome inUnfinished(
            PhaseContext context,
            CapiCluster cluster,
            ItemRelease release,
            BiFunction<ItemRelease, Opened, Outcome> step) {
        AtomicBoolean reached = new AtomicBoolean();
        try {
            Outcome outcome = clusters.in(cluster, opened -> {
                opened.workload().ready();
                reached.set(true);
                return step.apply(release, opened);
            });
            if (reached.get()) {
                return outcome;
            }
        } catch (Failure e) {
            if (reached.get() || e.errorClass() != ErrorClass.TRANSIENT) {
                throw e;
            }
        }
        receipts.noteFirst(context, release.receipt(), Fate.GONE, "the cluster's control plane was never initialized");
        return Outcome.done(release.display() + " was never installed: its control plane was never initialized");
    }

    /** One empty answer is not believed: an API that was restored gives such answers too. */
    private Outcome withoutCluster(PhaseContext context, ItemRelease release) {
        if (!ABSENT.equals(context.fact(PhaseContext.LAST_REASON).orElse(""))) {
            return Outcome.waiting(
                            ABSENT,
                            "Cluster " + context.cluster().namespace() + "/" + release.cluster()
                                    + " does not exist; looking once more before " + release.display()
                                    + " counts as gone with it")
                    .after(SECOND_LOOK);
        }
        receipts.noteFirst(context, release.receipt(), Fate.GONE, "the cluster is gone");
        return Outcome.done(release.display() + " is gone with its cluster");
    }
}
