package dev.slipway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.api.ClusterResolver.Origin;
import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.kernel.FlowHead;
import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.status.Condition;
import dev.slipway.status.ConditionType;
import dev.slipway.status.Projection;
import dev.slipway.status.Projections;
import dev.slipway.status.StatusFactory;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import dev.slipway.trigger.ImportCandidates;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Joins the clusters of the management cluster with their flows of the database.
 *
 * <p>One join serves all who ask for a second, longer if it is expensive: it takes a tenth of the time at most. Clusters whose
 * flows have all ended are not computed again until something about them changes. While the management cluster does not
 * answer, what the database knows is shown with a warning.
 */
@Component
class FleetView {

    private final ClusterResolver resolver;
    private final FleetIndex index;
    private final ImportCandidates candidates;
    private final Flows flows;
    private final ReceiptBook receipts;
    private final Clock clock;
    private final StatusFactory statuses;
    private Map<String, Settled> settled = Map.of();
    private @Nullable Snapshot last;

    /** A cluster as computed when all its flows had ended, and what it was computed from. */
    private record Settled(String from, ClusterInfo cluster) {}

    /**
     * The whole fleet at one time.
     *
     * @param clusters all clusters, in no order
     * @param warning what is missing and why; null if all is well
     * @param freshness when it was computed, and until when it holds
     */
    record Snapshot(List<ClusterInfo> clusters, @Nullable String warning, Freshness freshness) {}

    FleetView(
            ClusterResolver resolver,
            FleetIndex index,
            ImportCandidates candidates,
            Flows flows,
            ReceiptBook receipts,
            Clock clock) {
        this.resolver = resolver;
        this.index = index;
        this.candidates = candidates;
        this.flows = flows;
        this.receipts = receipts;
        this.clock = clock;
        this.statuses = new StatusFactory(clock);
    }

    /** All clusters that match, a part of them. */
    ClusterInfo.Page list(FleetQuery query, Slice slice) {
        Snapshot fleet = snapshot();
        Sliced<ClusterInfo> page = query.page(fleet.clusters(), slice);
        return new ClusterInfo.Page(
                page.items(),
                page.total(),
                slice.offset(),
                slice.limit(),
                query.counts(fleet.clusters()),
                fleet.warning());
    }

    /** The whole fleet, as it was a moment ago. */
    synchronized Snapshot snapshot() {
        Snapshot known = last;
        if (known != null && known.freshness().holds(clock.instant())) {
            return known;
        }
        FleetIndex.Contents contents = index.contents();
        long started = System.nanoTime();
        Failure failure = contents.failure();
        List<ClusterInfo> all = failure == null ? joined(contents.clusters()) : known(ofClusters());
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        Snapshot fresh =
                new Snapshot(all, failure == null ? null : warning(failure), Freshness.costing(took, clock.instant()));
        last = fresh;
        return fresh;
    }

    /** One cluster with everything that is known. */
    ClusterInfo.Details details(String namespace, String name) {
        try {
            Resolved cluster = resolver.resolve(namespace, name);
            List<FlowView> known = flows.latest(cluster.ref().uid());
            Projection projection = projection(cluster, known);
            boolean told = cluster.isDeclared() && cluster.object().at("status", "conditions") instanceof ArrayNode;
            return new ClusterInfo.Details(
                    info(cluster, projection),
                    told
                            ? cluster.object().at("status", "conditions")
                            : statuses.conditions(bare(cluster), projection.conditions()),
                    known.stream().map(FlowInfo::full).toList(),
                    receipt(namespace, name),
                    null);
        } catch (Failure failure) {
            return detailsOfFlows(namespace, name, failure);
        }
    }

    private @Nullable ReceiptInfo receipt(String namespace, String name) {
        return receipts.ofCluster(namespace, name).stream()
                .filter(receipt -> !FlowKinds.isOfWorkItems(receipt.head().kind()))
                .findFirst()
                .map(ReceiptInfo::of)
                .orElse(null);
    }

    /** Without what other controllers say: transition times of their conditions are not Slipway's. */
    private static KubeObject bare(Resolved cluster) {
        KubeObject object = cluster.object();
        return cluster.isDeclared() ? object : KubeObject.named(ResourceType.WORKLOAD_CLUSTERS, "", object.name());
    }

    private ClusterInfo.Details detailsOfFlows(String namespace, String name, Failure failure) {
        ClusterRef cluster = ofClusters().stream()
                .filter(flow -> flow.cluster().namespace().equals(namespace)
                        && flow.cluster().name().equals(name))
                .max(Comparator.comparing(FlowView::startedAt))
                .map(FlowView::cluster)
                .orElseThrow(() -> failure);
        List<FlowView> known = flows.latest(cluster.uid());
        return new ClusterInfo.Details(
                info(cluster, known),
                JsonNodeFactory.instance.arrayNode(),
                known.stream().map(FlowInfo::full).toList(),
                receipt(namespace, name),
                warning(failure));
    }

    /** All that are declared; of the others those that Slipway imports, has imported or means to. */
    private List<ClusterInfo> joined(List<Resolved> clusters) {
        Map<String, List<FlowHead>> heads = new HashMap<>();
        flows.headsOfAll().stream()
                .filter(flow -> !FlowKinds.isOfWorkItems(flow.kind()))
                .forEach(flow -> heads.computeIfAbsent(flow.cluster().uid(), uid -> new ArrayList<>())
                        .add(flow));
        Map<String, Settled> kept = new HashMap<>();
        List<ClusterInfo> joined = new ArrayList<>(clusters.size());
        List<Resolved> moving = new ArrayList<>();
        for (Resolved cluster : clusters) {
            String uid = cluster.ref().uid();
            List<FlowHead> known = heads.getOrDefault(uid, List.of());
            if (!cluster.isDeclared() && known.isEmpty() && !candidates.include(cluster.object())) {
                continue;
            }
            Settled before = settled.get(uid);
            if (before != null && before.from().equals(basis(cluster, known))) {
                kept.put(uid, before);
                joined.add(before.cluster());
            } else {
                moving.add(cluster);
            }
        }
        Map<String, List<FlowView>> views = byUid(flows.views(moving.stream()
                .flatMap(cluster -> heads.getOrDefault(cluster.ref().uid(), List.of()).stream())
                .map(FlowHead::id)
                .toList()));
        for (Resolved cluster : moving) {
            String uid = cluster.ref().uid();
            ClusterInfo info = info(cluster, projection(cluster, views.getOrDefault(uid, List.of())));
            joined.add(info);
            List<FlowHead> known = heads.getOrDefault(uid, List.of());
            if (known.stream().allMatch(FlowHead::ended)) {
                kept.put(uid, new Settled(basis(cluster, known), info));
            }
        }
        settled = kept;
        return joined;
    }

    /** All that a cluster without running flows is computed from. */
    private static String basis(Resolved cluster, List<FlowHead> flows) {
        StringBuilder basis = new StringBuilder(cluster.origin().text())
                .append(cluster.object().uid())
                .append('@')
                .append(cluster.object().resourceVersion());
        flows.stream()
                .map(flow -> " " + flow.id() + (flow.ended() ? "" : " runs"))
                .sorted()
                .forEach(basis::append);
        return basis.toString();
    }

    private List<FlowView> ofClusters() {
        return flows.latestOfAll().stream()
                .filter(flow -> !FlowKinds.isOfWorkItems(flow.kind()))
                .toList();
    }

    private static List<ClusterInfo> known(List<FlowView> latest) {
        return byUid(latest).values().stream()
                .map(known -> info(known.get(0).cluster(), known))
                .toList();
    }

    private static Map<String, List<FlowView>> byUid(List<FlowView> flows) {
        Map<String, List<FlowView>> byUid = new HashMap<>();
        flows.forEach(flow -> byUid.computeIfAbsent(flow.cluster().uid(), uid -> new ArrayList<>())
                .add(flow));
        return byUid;
    }

    private static Projection projection(Resolved cluster, List<FlowView> known) {
        if (cluster.isDeclared() && cluster.object().deleting()) {
            return Projections.ofDeleting(known, cluster.object().finalizers());
        }
        Projection projection = projection(cluster.origin(), known);
        return cluster.object().deleting() ? projection.deleting() : projection;
    }

    private static Projection projection(Origin origin, List<FlowView> known) {
        return origin == Origin.WORKLOAD_CLUSTER ? Projections.of(known) : Projections.ofCluster(known);
    }

    private static ClusterInfo info(Resolved cluster, Projection projection) {
        KubeObject object = cluster.object();
        return new ClusterInfo(
                object.namespace(),
                object.name(),
                cluster.ref().uid(),
                cluster.origin(),
                object.text("spec", "version")
                        .or(() -> object.text("spec", "topology", "version"))
                        .orElse(null),
                projection.phase().text(),
                projection.ready(),
                stuck(projection),
                object.created().orElse(null),
                flow(projection));
    }

    /** What the database alone knows; only a WorkloadCluster has an init flow. */
    private static ClusterInfo info(ClusterRef cluster, List<FlowView> known) {
        boolean declared = known.stream().anyMatch(flow -> flow.kind().equals(Flows.INIT));
        Origin origin = declared ? Origin.WORKLOAD_CLUSTER : Origin.CLUSTER;
        Projection projection = projection(origin, known);
        return new ClusterInfo(
                cluster.namespace(),
                cluster.name(),
                cluster.uid(),
                origin,
                null,
                projection.phase().text(),
                projection.ready(),
                stuck(projection),
                null,
                flow(projection));
    }

    private static boolean stuck(Projection projection) {
        return projection.condition(ConditionType.STUCK).map(Condition::holds).orElse(false);
    }

    private static @Nullable FlowInfo flow(Projection projection) {
        return Optional.ofNullable(projection.flow()).map(FlowInfo::summary).orElse(null);
    }

    private static String warning(Failure failure) {
        return "The management cluster does not answer (" + failure.message()
                + "): only clusters with flows are shown, as the database knows them";
    }
}
