package dev.slipway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.api.ClusterResolver.Origin;
import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.status.ClusterPhase;
import dev.slipway.status.Condition;
import dev.slipway.status.ConditionType;
import dev.slipway.status.Projection;
import dev.slipway.status.Projections;
import dev.slipway.status.StatusFactory;
import dev.slipway.trigger.ImportCandidates;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * <p>Lists may be a second old, so that polling consoles cost one LIST a second at most. While the management cluster
 * does not answer, what the database knows is shown with a warning.
 */
@Component
class FleetView {

    private static final Duration LIST_AGE = Duration.ofSeconds(1);
    /** While the API server is down each LIST may take its whole deadline: not for every poll. */
    private static final Duration FAILURE_AGE = Duration.ofSeconds(3);

    private final ClusterResolver resolver;
    private final ImportCandidates candidates;
    private final List<String> namespaces;
    private final Flows flows;
    private final ReceiptBook receipts;
    private final Clock clock;
    private final StatusFactory statuses;
    private @Nullable Listing listing;

    /** A LIST's answer, or why there is none. */
    private record Listing(List<Resolved> clusters, @Nullable Failure failure, Instant at) {

        boolean fresh(Instant now) {
            return now.isBefore(at.plus(failure == null ? LIST_AGE : FAILURE_AGE));
        }
    }

    FleetView(
            ClusterResolver resolver,
            ImportCandidates candidates,
            KubernetesProperties kubernetes,
            Flows flows,
            ReceiptBook receipts,
            Clock clock) {
        this.namespaces = kubernetes.searched();
        this.resolver = resolver;
        this.candidates = candidates;
        this.flows = flows;
        this.receipts = receipts;
        this.clock = clock;
        this.statuses = new StatusFactory(clock);
    }

    /**
     * All clusters that match, those that need somebody first.
     *
     * @param namespace only this one; null for all
     * @param phase only in this phase; null for all
     */
    ClusterInfo.Page list(@Nullable String namespace, @Nullable ClusterPhase phase) {
        Listing now = listing();
        List<FlowView> latest = ofClusters();
        List<ClusterInfo> all = now.failure() == null ? joined(now.clusters(), latest) : known(latest);
        List<ClusterInfo> items = all.stream()
                .filter(cluster -> namespace == null || namespace.equals(cluster.namespace()))
                .filter(cluster -> phase == null || phase.text().equals(cluster.phase()))
                .sorted(Comparator.comparing(ClusterInfo::stuck)
                        .reversed()
                        .thenComparing(ClusterInfo::namespace)
                        .thenComparing(ClusterInfo::name))
                .toList();
        return new ClusterInfo.Page(items, now.failure() == null ? null : warning(now.failure()));
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

    private synchronized Listing listing() {
        Instant now = clock.instant();
        Listing last = listing;
        if (last != null && last.fresh(now)) {
            return last;
        }
        Listing fresh;
        try {
            fresh = new Listing(resolver.all(namespaces), null, now);
        } catch (Failure failure) {
            // Dated after the attempt: it may have taken its whole deadline.
            fresh = new Listing(List.of(), failure, clock.instant());
        }
        listing = fresh;
        return fresh;
    }

    /** All that are declared; of the others those that Slipway imports, has imported or means to. */
    private List<ClusterInfo> joined(List<Resolved> clusters, List<FlowView> latest) {
        Map<String, List<FlowView>> byUid = byUid(latest);
        List<ClusterInfo> joined = new ArrayList<>();
        for (Resolved cluster : clusters) {
            List<FlowView> known = byUid.getOrDefault(cluster.ref().uid(), List.of());
            if (cluster.isDeclared() || !known.isEmpty() || candidates.include(cluster.object())) {
                joined.add(info(cluster, projection(cluster, known)));
            }
        }
        return joined;
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
