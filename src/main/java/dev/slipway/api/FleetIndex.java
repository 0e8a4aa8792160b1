package dev.slipway.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.kubernetes.ClusterApiEvents;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkloadClusterEvents;
import dev.slipway.phase.Failure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The clusters' objects for lists: listed now and then, kept up to date by watch events in between.
 *
 * <p>While nothing is watched, or a watch is broken, the lists are all there is: then one serves all who ask for a second,
 * longer if it is expensive. Only what lists show is kept of each object. Nothing is decided by what stands here.
 */
final class FleetIndex implements WorkloadClusterEvents, ClusterApiEvents {

    private static final Duration WATCHED = Duration.ofMinutes(1);
    /** While the API server is down each LIST may take its whole deadline: not for every poll. */
    private static final Duration FAILURE_AGE = Duration.ofSeconds(3);

    private static final int MOST_READS = 20;
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final ClusterResolver resolver;
    private final List<String> namespaces;
    private final BooleanSupplier watched;
    private final Clock clock;
    private final Object listing = new Object();
    private Known known = new Known();
    private @Nullable List<Consumer<Known>> meanwhile;
    private @Nullable Freshness freshness;
    private @Nullable Failure failure;
    private boolean watchedBefore;

    /**
     * Makes an index.
     *
     * @param watched whether all that is shown is heard of at this moment
     */
    FleetIndex(ClusterResolver resolver, List<String> namespaces, BooleanSupplier watched, Clock clock) {
        this.resolver = resolver;
        this.namespaces = namespaces;
        this.watched = watched;
        this.clock = clock;
    }

    /**
     * What there is.
     *
     * @param clusters the objects, with no more of each than lists show
     * @param failure why it is not known; null if it is
     */
    record Contents(List<Resolved> clusters, @Nullable Failure failure) {}

    /** Both kinds, by namespace and name. */
    private static final class Known {
        final Map<String, KubeObject> declared = new HashMap<>();
        final Map<String, KubeObject> found = new HashMap<>();
        /** Clusters of Cluster API that changed: of events only the metadata comes. */
        final Set<String> changed = new HashSet<>();
    }

    /** What there is, a second old at most while it is watched. */
    Contents contents() {
        synchronized (listing) {
            boolean hears = watched.getAsBoolean();
            boolean fresh = freshness != null && freshness.holds(clock.instant());
            boolean again = !fresh || hears != watchedBefore || tooManyChanged();
            watchedBefore = hears;
            if (again) {
                list(hears);
            } else {
                readChanged();
            }
            Failure failed = failure;
            return failed == null ? new Contents(resolved(), null) : new Contents(List.of(), failed);
        }
    }

    private void list(boolean hears) {
        synchronized (this) {
            meanwhile = new ArrayList<>();
        }
        long started = System.nanoTime();
        try {
            Known fresh = new Known();
            resolver.all(namespaces).forEach(one -> put(one.isDeclared() ? fresh.declared : fresh.found, one.object()));
            adopt(fresh);
            failure = null;
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            Instant now = clock.instant();
            freshness = hears ? Freshness.lasting(WATCHED, now) : Freshness.costing(took, now);
        } catch (Failure e) {
            failure = e;
            // Dated after the attempt: it may have taken its whole deadline.
            freshness = Freshness.lasting(FAILURE_AGE, clock.instant());
        } finally {
            synchronized (this) {
                meanwhile = null;
            }
        }
    }

    /** What came while it was being listed may be newer than the list. */
    private synchronized void adopt(Known fresh) {
        Optional.ofNullable(meanwhile).ifPresent(events -> events.forEach(event -> event.accept(fresh)));
        known = fresh;
    }

    private synchronized boolean tooManyChanged() {
        return known.changed.size() > MOST_READS;
    }

    private void readChanged() {
        Set<String> changed;
        synchronized (this) {
            changed = Set.copyOf(known.changed);
            known.changed.clear();
        }
        for (String key : changed) {
            int slash = key.indexOf('/');
            try {
                resolver.ofClusterApi(key.substring(0, slash), key.substring(slash + 1))
                        .ifPresent(cluster -> change(objects -> put(objects.found, cluster.object())));
            } catch (Failure e) {
                freshness = null;
                return;
            }
        }
    }

    private synchronized List<Resolved> resolved() {
        List<Resolved> all = new ArrayList<>(known.declared.size() + known.found.size());
        known.declared.values().forEach(object -> all.add(Resolved.declared(object)));
        known.found.forEach((key, object) -> {
            if (!known.declared.containsKey(key)) {
                all.add(Resolved.found(new CapiCluster(object)));
            }
        });
        return all;
    }

    private synchronized void change(Consumer<Known> event) {
        event.accept(known);
        if (meanwhile != null) {
            meanwhile.add(event);
        }
    }

    @Override
    public void seen(KubeObject cluster) {
        KubeObject slim = slim(cluster);
        change(objects -> put(objects.declared, slim));
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        change(objects -> remove(objects.declared, namespace + "/" + name, uid));
    }

    @Override
    public void clusterSeen(KubeObject metadata) {
        String key = key(metadata);
        change(objects -> {
            if (!objects.declared.containsKey(key)) {
                objects.changed.add(key);
            }
        });
    }

    @Override
    public void clusterGone(String namespace, String name, String uid) {
        change(objects -> {
            objects.changed.remove(namespace + "/" + name);
            remove(objects.found, namespace + "/" + name, uid);
        });
    }

    private static void put(Map<String, KubeObject> objects, KubeObject object) {
        objects.merge(key(object), slim(object), (before, now) -> older(now, before) ? before : now);
    }

    private static void remove(Map<String, KubeObject> objects, String key, String uid) {
        KubeObject there = objects.get(key);
        if (there != null && there.uid().equals(uid)) {
            objects.remove(key);
        }
    }

    private static boolean older(KubeObject one, KubeObject other) {
        try {
            return one.uid().equals(other.uid())
                    && Long.parseUnsignedLong(one.resourceVersion()) < Long.parseUnsignedLong(other.resourceVersion());
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String key(KubeObject object) {
        return object.namespace() + "/" + object.name();
    }

    /** No more than lists show: the fleet is kept in memory. */
    private static KubeObject slim(KubeObject object) {
        ObjectNode slim = JsonNodeFactory.instance.objectNode();
        slim.put("apiVersion", object.apiVersion()).put("kind", object.kind());
        ObjectNode metadata = (ObjectNode) object.at("metadata").deepCopy();
        metadata.remove("managedFields");
        if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(LAST_APPLIED);
        }
        slim.set("metadata", metadata);
        ObjectNode spec = slim.putObject("spec");
        object.text("spec", "version").ifPresent(version -> spec.put("version", version));
        object.text("spec", "topology", "version")
                .ifPresent(version -> spec.putObject("topology").put("version", version));
        return new KubeObject(slim);
    }
}
