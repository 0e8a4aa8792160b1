package dev.slipway.workitem;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.workitem.ItemProgress.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** The other work items of the same cluster: which come first, and which are in the way. */
@Component
public class ItemNeighbours {

    private final LiveItems items;
    private final ItemProgress progress;

    public ItemNeighbours(LiveItems items, ItemProgress progress) {
        this.items = items;
        this.progress = progress;
    }

    /**
     * Refuses a work item that can never be installed beside the others.
     *
     * @throws Failure INVALID {@code DependencyCycle}; IDENTITY {@code ReleaseNameTaken}
     */
    public void require(WorkItem item) {
        ItemRules.require(item);
        List<WorkItem> all = items.ofCluster(item.namespace(), item.cluster());
        List<String> cycle = cycle(item, byName(all));
        if (!cycle.isEmpty()) {
            throw new Failure(
                    ErrorClass.INVALID,
                    "DependencyCycle",
                    item.display() + ": spec.dependsOn leads back to itself: " + String.join(" → ", cycle),
                    List.of("Take one of these dependencies away"),
                    null,
                    null);
        }
        claimant(item, ItemRelease.of(item)).ifPresent(other -> {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    "ReleaseNameTaken",
                    item.display() + ": " + ItemRelease.of(item).display() + " belongs to the older " + other.display(),
                    List.of(
                            "Make " + item.display() + " anew with another spec.releaseName or spec.namespace",
                            "Or delete one of the two"),
                    null,
                    null);
        });
    }

    /** What it must wait for, for people; empty if everything that it depends on is installed. */
    public Optional<String> missing(WorkItem item) {
        Map<String, WorkItem> all = byName(items.ofCluster(item.namespace(), item.cluster()));
        for (String name : item.spec().dependsOn()) {
            WorkItem other = all.get(name);
            if (other == null) {
                return Optional.of("WorkItem " + item.namespace() + "/" + name + " of cluster " + item.cluster()
                        + " does not exist (yet)");
            }
            Progress how = progress.of(other);
            if (!how.installed()) {
                return Optional.of(other.display() + " is not installed: " + how.message());
            }
        }
        return Optional.empty();
    }

    /**
     * The work items that are being deleted as well and depend on it: those go first.
     *
     * @param name the name of the one that is deleted
     */
    public List<WorkItem> dependents(String namespace, String cluster, String name) {
        List<WorkItem> all = items.ofCluster(namespace, cluster);
        Map<String, WorkItem> byName = byName(all);
        return all.stream()
                .filter(other -> other.deleting() && other.finalizerSet())
                .filter(other -> other.spec().dependsOn().contains(name))
                // In a cycle nobody could go first.
                .filter(other -> !reaches(name, other.name(), byName))
                .toList();
    }

    /** Another, older work item whose release is the same one. */
    public Optional<WorkItem> claimant(WorkItem item, ItemRelease release) {
        return others(item.namespace(), item.uid(), release).stream()
                .filter(other -> AGE.compare(other, item) < 0)
                .findFirst();
    }

    /** Another work item that lives, and whose release is the same one. */
    public Optional<WorkItem> survivor(String namespace, String uid, ItemRelease release) {
        return others(namespace, uid, release).stream()
                .filter(other -> !other.deleting())
                .findFirst();
    }

    /** Kubernetes dates objects by the second; of two of one second the name decides. */
    private static final Comparator<WorkItem> AGE = Comparator.comparing(
                    (WorkItem item) -> item.object().created().orElseThrow())
            .thenComparing(WorkItem::name);

    private List<WorkItem> others(String namespace, String uid, ItemRelease release) {
        List<WorkItem> found = new ArrayList<>();
        for (WorkItem other : items.ofCluster(namespace, release.cluster())) {
            if (!other.uid().equals(uid) && same(other, release)) {
                found.add(other);
            }
        }
        found.sort(AGE);
        return found;
    }

    private static boolean same(WorkItem other, ItemRelease release) {
        try {
            return ItemRelease.of(other).collidesWith(release);
        } catch (Failure unnameable) {
            // It can have no release.
            return false;
        }
    }

    private static Map<String, WorkItem> byName(List<WorkItem> all) {
        return all.stream().collect(Collectors.toMap(WorkItem::name, Function.identity()));
    }

    private static boolean reaches(String from, String to, Map<String, WorkItem> all) {
        Deque<String> open = new ArrayDeque<>(List.of(from));
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            WorkItem item = all.get(open.pop());
            for (String next : item == null ? List.<String>of() : item.spec().dependsOn()) {
                if (next.equals(to)) {
                    return true;
                }
                if (seen.add(next)) {
                    open.push(next);
                }
            }
        }
        return false;
    }

    /** The names on the way from the item back to itself; empty if there is none. */
    private static List<String> cycle(WorkItem item, Map<String, WorkItem> all) {
        for (String first : item.spec().dependsOn()) {
            if (first.equals(item.name()) || reaches(first, item.name(), all)) {
                return List.of(item.name(), first, "…", item.name());
            }
        }
        return List.of();
    }
}
