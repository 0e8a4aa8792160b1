package dev.slipway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.status.ClusterPhase;
import dev.slipway.status.Condition;
import dev.slipway.status.ConditionType;
import dev.slipway.status.Projection;
import dev.slipway.status.Projections;
import dev.slipway.status.StatusFactory;
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
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Joins the WorkloadClusters of the management cluster with their flows of the database.
 *
 * <p>Lists may be a second old, so that polling consoles cost one LIST a second at most. While the management cluster
 * does not answer, what the database knows is shown with a warning.
 */
@Component
class FleetView {

    private static final Duration LIST_AGE = Duration.ofSeconds(1);
    /** While the API server is down each LIST may take its whole deadline: not for every poll. */
    private static final Duration FAILURE_AGE = Duration.ofSeconds(3);

    private final LiveReader reader;
    private final List<String> namespaces;
    private final Flows flows;
    private final Clock clock;
    private final StatusFactory statuses;
    private @Nullable Listing listing;

    /** A LIST's answer, or why there is none. */
    private record Listing(List<KubeObject> objects, @Nullable Failure failure, Instant at) {

        boolean fresh(Instant now) {
            return now.isBefore(at.plus(failure == null ? LIST_AGE : FAILURE_AGE));
        }
    }

    FleetView(LiveReader reader, KubernetesProperties kubernetes, Flows flows, Clock clock) {
        this.namespaces = kubernetes.searched();
        this.reader = reader;
        this.flows = flows;
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
        List<FlowView> latest = flows.latestOfAll();
        List<ClusterInfo> all = now.failure() == null ? joined(now.objects(), latest) : known(latest);
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
            KubeObject object = live(namespace, name);
            List<FlowView> known = flows.latest(object.uid());
            Projection projection = projection(object, known);
            return new ClusterInfo.Details(
                    info(object, projection),
                    object.at("status", "conditions") instanceof ArrayNode conditions
                            ? conditions
                            : statuses.conditions(object, projection.conditions()),
                    known.stream().map(FlowInfo::full).toList(),
                    null);
        } catch (Failure failure) {
            return detailsOfFlows(namespace, name, failure);
        }
    }

    /**
     * The WorkloadCluster, read live.
     *
     * @throws ApiProblem 404 if there is none
     */
    KubeObject live(String namespace, String name) {
        return reader.get(ResourceType.WORKLOAD_CLUSTERS, namespace, name).orElseThrow(() -> absent(namespace, name));
    }

    private ClusterInfo.Details detailsOfFlows(String namespace, String name, Failure failure) {
        ClusterRef cluster = flows.latestOfAll().stream()
                .filter(flow -> flow.cluster().namespace().equals(namespace)
                        && flow.cluster().name().equals(name))
                .max(Comparator.comparing(FlowView::startedAt))
                .map(FlowView::cluster)
                .orElseThrow(() -> failure);
        List<FlowView> known = flows.latest(cluster.uid());
        return new ClusterInfo.Details(
                info(cluster, Projections.of(known)),
                JsonNodeFactory.instance.arrayNode(),
                known.stream().map(FlowInfo::full).toList(),
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
            List<KubeObject> objects = namespaces.stream()
                    .flatMap(namespace -> reader.list(ResourceType.WORKLOAD_CLUSTERS, namespace, Map.of()).stream())
                    .toList();
            fresh = new Listing(objects, null, now);
        } catch (Failure failure) {
            // Dated after the attempt: it may have taken its whole deadline.
            fresh = new Listing(List.of(), failure, clock.instant());
        }
        listing = fresh;
        return fresh;
    }

    private List<ClusterInfo> joined(List<KubeObject> objects, List<FlowView> latest) {
        Map<String, List<FlowView>> byUid = byUid(latest);
        return objects.stream()
                .map(object -> info(object, projection(object, byUid.getOrDefault(object.uid(), List.of()))))
                .toList();
    }

    private static List<ClusterInfo> known(List<FlowView> latest) {
        return byUid(latest).values().stream()
                .map(known -> info(known.get(0).cluster(), Projections.of(known)))
                .toList();
    }

    private static Map<String, List<FlowView>> byUid(List<FlowView> flows) {
        Map<String, List<FlowView>> byUid = new HashMap<>();
        flows.forEach(flow -> byUid.computeIfAbsent(flow.cluster().uid(), uid -> new ArrayList<>())
                .add(flow));
        return byUid;
    }

    private static Projection projection(KubeObject object, List<FlowView> known) {
        Projection projection = Projections.of(known);
        return object.deleting() ? projection.deleting() : projection;
    }

    private static ClusterInfo info(KubeObject object, Projection projection) {
        return new ClusterInfo(
                object.namespace(),
                object.name(),
                object.uid(),
                object.text("spec", "version").orElse(null),
                projection.phase().text(),
                projection.ready(),
                stuck(projection),
                object.created().orElse(null),
                flow(projection));
    }

    private static ClusterInfo info(ClusterRef cluster, Projection projection) {
        return new ClusterInfo(
                cluster.namespace(),
                cluster.name(),
                cluster.uid(),
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

    private static ApiProblem absent(String namespace, String name) {
        return new ApiProblem(
                        HttpStatus.NOT_FOUND,
                        "ClusterNotFound",
                        "There is no WorkloadCluster " + namespace + "/" + name)
                .object(namespace + "/" + name)
                .remedy("See GET /api/v1/clusters, or: kubectl get workloadclusters -A");
    }
}
