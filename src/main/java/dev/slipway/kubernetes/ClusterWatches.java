package dev.slipway.kubernetes;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Watches everything that clusters' phases look at, only to wake them.
 *
 * <p>One thread for each kind and namespace. Nothing can be read here: phases read live.
 */
public final class ClusterWatches implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatches.class);
    private static final Duration ENDING = Duration.ofSeconds(3);

    private final List<String> namespaces;
    private final WatchSource source;
    private final Supplier<List<ClusterWakeup>> wakeups;
    private final Supplier<List<WorkloadClusterEvents>> listeners;
    private final Supplier<List<ClusterApiEvents>> clusterApiListeners;
    private final Supplier<List<WorkItemEvents>> workItemListeners;
    private final Clock clock;
    private final List<WatchLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    ClusterWatches(
            List<String> namespaces,
            WatchSource source,
            Supplier<List<ClusterWakeup>> wakeups,
            Supplier<List<WorkloadClusterEvents>> listeners,
            Supplier<List<ClusterApiEvents>> clusterApiListeners,
            Supplier<List<WorkItemEvents>> workItemListeners,
            Clock clock) {
        this.namespaces = namespaces.isEmpty() ? List.of("") : List.copyOf(namespaces);
        this.source = source;
        this.wakeups = wakeups;
        this.listeners = listeners;
        this.clusterApiListeners = clusterApiListeners;
        this.workItemListeners = workItemListeners;
        this.clock = clock;
    }

    @Override
    public void start() {
        synchronized (loops) {
            if (!loops.isEmpty() || !source.settings().enabled()) {
                return;
            }
            // Looked up only now: whoever listens may itself need what is wired before.
            WatchListener waking = new WakingListener(wakeups.get());
            Map<WatchTarget, WatchListener> telling = Map.of(
                    WatchTarget.WORKLOAD_CLUSTERS,
                    new WorkloadClusterListener(wakeups.get(), listeners.get()),
                    WatchTarget.CLUSTER_API_CLUSTERS,
                    new ClusterApiListener(wakeups.get(), clusterApiListeners.get()),
                    WatchTarget.WORK_ITEMS,
                    new WorkItemListener(wakeups.get(), workItemListeners.get()));
            for (WatchTarget target : WatchTarget.ALL) {
                WatchListener listener = telling.getOrDefault(target, waking);
                namespaces.forEach(namespace -> start(target, namespace, listener));
            }
        }
        LOG.info("Watching kinds={} namespaces={}", WatchTarget.ALL.size(), namespaces);
    }

    @Override
    public void stop() {
        synchronized (loops) {
            loops.forEach(WatchLoop::stop);
            threads.forEach(ClusterWatches::join);
            loops.clear();
            threads.clear();
        }
    }

    @Override
    public boolean isRunning() {
        synchronized (loops) {
            return !loops.isEmpty();
        }
    }

    /** How each watch does, for metrics and health; empty when stopped. */
    public List<WatchHealth> health() {
        synchronized (loops) {
            return loops.stream().map(WatchLoop::health).toList();
        }
    }

    private void start(WatchTarget target, String namespace, WatchListener listener) {
        WatchLoop loop = new WatchLoop(target, namespace, source, listener, clock);
        Thread thread = new Thread(loop, "watch-" + target.kind() + (namespace.isEmpty() ? "" : "-" + namespace));
        thread.setDaemon(true);
        loops.add(loop);
        threads.add(thread);
        thread.start();
    }

    private static void join(Thread thread) {
        try {
            thread.join(ENDING.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One that fails must neither end the watch nor keep the others from hearing. */
    private static <T> void each(List<T> listeners, Consumer<T> call) {
        for (T listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                LOG.error(
                        "Passing on a watch event failed listener={}",
                        listener.getClass().getName(),
                        e);
            }
        }
    }

    /** Wakes the cluster of whatever changed. */
    private static class WakingListener implements WatchListener {

        private final List<ClusterWakeup> wakeups;

        WakingListener(List<ClusterWakeup> wakeups) {
            this.wakeups = wakeups;
        }

        @Override
        public void changed(String namespace, String cluster) {
            each(wakeups, wakeup -> wakeup.wake(namespace, cluster));
        }

        @Override
        public void seen(KubeObject object) {
            // Only clusters have listeners.
        }

        @Override
        public void gone(SeenObjects.Seen object) {
            // Only clusters have listeners.
        }
    }

    /** Tells of the WorkloadClusters themselves, too. */
    private static final class WorkloadClusterListener extends WakingListener {

        private final List<WorkloadClusterEvents> listeners;

        WorkloadClusterListener(List<ClusterWakeup> wakeups, List<WorkloadClusterEvents> listeners) {
            super(wakeups);
            this.listeners = listeners;
        }

        @Override
        public void seen(KubeObject object) {
            each(listeners, listener -> listener.seen(object));
        }

        @Override
        public void gone(SeenObjects.Seen object) {
            each(listeners, listener -> listener.gone(object.namespace(), object.name(), object.uid()));
        }
    }

    /** Wakes the work item as well as its cluster, and tells of it. */
    private static final class WorkItemListener extends WakingListener {

        private final List<WorkItemEvents> listeners;

        WorkItemListener(List<ClusterWakeup> wakeups, List<WorkItemEvents> listeners) {
            super(wakeups);
            this.listeners = listeners;
        }

        @Override
        public void seen(KubeObject object) {
            changed(object.namespace(), object.name());
            each(listeners, listener -> listener.itemSeen(object));
        }

        @Override
        public void gone(SeenObjects.Seen object) {
            changed(object.namespace(), object.name());
            each(listeners, listener -> listener.itemGone(object.namespace(), object.name(), object.uid()));
        }
    }

    /** Tells of Cluster API's Clusters themselves, too. */
    private static final class ClusterApiListener extends WakingListener {

        private final List<ClusterApiEvents> listeners;

        ClusterApiListener(List<ClusterWakeup> wakeups, List<ClusterApiEvents> listeners) {
            super(wakeups);
            this.listeners = listeners;
        }

        @Override
        public void seen(KubeObject object) {
            each(listeners, listener -> listener.clusterSeen(object));
        }

        @Override
        public void gone(SeenObjects.Seen object) {
            each(listeners, listener -> listener.clusterGone(object.namespace(), object.name(), object.uid()));
        }
    }
}
