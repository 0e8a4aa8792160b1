package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Origin;
import dev.slipway.status.ClusterPhase;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which clusters are wanted, in which order; null stands for any.
 *
 * @param namespace only of this one
 * @param phase only those that stand so
 * @param q only those whose namespace/name, state, current phases, reasons or messages contain it
 * @param stuck only those that are stuck, or those that are not
 * @param origin only those that such an object stands for
 * @param sort by what
 * @param descending whether the other way round
 */
record FleetQuery(
        @Nullable String namespace,
        @Nullable ClusterPhase phase,
        @Nullable String q,
        @Nullable Boolean stuck,
        @Nullable Origin origin,
        Sort sort,
        boolean descending) {

    /** All clusters, those that need somebody first. */
    static final FleetQuery ALL = new FleetQuery(null, null, null, null, null, Sort.ATTENTION, false);

    /** By what a fleet is sorted. */
    enum Sort {
        /** Those that need somebody first, then those on their way, at last those that are ready. */
        ATTENTION(Comparator.comparing(FleetQuery::rank)),
        /** By namespace and name. */
        NAME(Comparator.comparing(ClusterInfo::namespace)),
        /** By when the object was created. */
        CREATED(Comparator.comparing(cluster -> Objects.requireNonNullElse(cluster.created(), Instant.EPOCH))),
        /** By how long the current phase, or what came last, has stood. */
        SINCE(Comparator.comparing(ClusterInfo::since));

        @SuppressWarnings("ImmutableEnumChecker") // comparators have no state
        private final Comparator<ClusterInfo> order;

        Sort(Comparator<ClusterInfo> order) {
            this.order = order;
        }
    }

    /** All of one namespace; null for everywhere. */
    static FleetQuery of(@Nullable String namespace) {
        return new FleetQuery(namespace, null, null, null, null, Sort.ATTENTION, false);
    }

    private static int rank(ClusterInfo cluster) {
        if (cluster.stuck()) {
            return 0;
        }
        return switch (ClusterPhase.parse(cluster.phase()).orElse(ClusterPhase.PENDING)) {
            case STUCK -> 0;
            case FAILED -> 1;
            case PAUSED -> 2;
            case PENDING, INITIALIZING, IMPORTING, INSTALLING, DELETING -> 3;
            case PLANNED, INSTALLED -> 4;
            case READY -> 5;
        };
    }

    /** How many clusters stand how, of those that match but for their phase. */
    Map<String, Integer> counts(List<ClusterInfo> all) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (ClusterPhase each : ClusterPhase.values()) {
            counts.put(each.text(), 0);
        }
        all.stream()
                .filter(this::matchesButForPhase)
                .forEach(cluster -> counts.merge(cluster.phase(), 1, Integer::sum));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /** The part of those that match, in order. */
    Sliced<ClusterInfo> page(List<ClusterInfo> all, Slice slice) {
        Comparator<ClusterInfo> byName =
                Comparator.comparing(ClusterInfo::namespace).thenComparing(ClusterInfo::name);
        Comparator<ClusterInfo> order = sort.order.thenComparing(byName);
        List<ClusterInfo> matching = all.stream()
                .filter(this::matchesButForPhase)
                .filter(cluster -> phase == null || phase.text().equals(cluster.phase()))
                .sorted(descending ? order.reversed() : order)
                .toList();
        return Sliced.of(matching, slice);
    }

    private boolean matchesButForPhase(ClusterInfo cluster) {
        return (namespace == null || namespace.equals(cluster.namespace()))
                && (stuck == null || stuck == cluster.stuck())
                && (origin == null || origin == cluster.origin())
                && (q == null || mentions(cluster, plain(q)));
    }

    private static boolean mentions(ClusterInfo cluster, String wanted) {
        if (plain(cluster.namespace() + "/" + cluster.name()).contains(wanted)
                || plain(cluster.phase()).contains(wanted)) {
            return true;
        }
        return cluster.flow() != null
                && cluster.flow().phases().stream()
                        .flatMap(phase -> Stream.of(phase.title(), phase.name(), phase.reason(), phase.message()))
                        .filter(Objects::nonNull)
                        .anyMatch(text -> plain(text).contains(wanted));
    }

    /** Reasons are read as words, and written as one. */
    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replace(" ", "");
    }
}
