package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ApiError;
import dev.slipway.controlplane.ControlPlane;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Plays Cluster API against a management cluster: infrastructure, control planes with real API servers, machines.
 *
 * <p>It keeps nothing that it could not read back: stopped and started again, it carries on with what it finds.
 */
public final class SimulatedProvider implements AutoCloseable {

    private static final String CLUSTERS = "/apis/" + Capi.VERSION + "/clusters";
    private static final Duration SCAN = Duration.ofMillis(300);
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration LATER = Duration.ofSeconds(3);
    private static final int THREADS = 8;

    private final Capi capi;
    private final WorkloadApis apis;
    private final SimulatedCluster simulation;
    private final Options options;
    private final Clock clock = Clock.systemUTC();
    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scanner = Executors.newSingleThreadScheduledExecutor(daemon("scanner"));
    private final ExecutorService workers = Executors.newFixedThreadPool(THREADS, daemon("worker"));

    /**
     * How the simulation runs.
     *
     * @param delay how long each of infrastructure, control plane and workers takes, unless annotated
     * @param namespaces which namespaces it cares for
     * @param maximumServers how many real workload API servers run at a time
     * @param report gets one line per problem
     */
    public record Options(Duration delay, Predicate<String> namespaces, int maximumServers, Consumer<String> report) {

        /** Without delays, for one namespace of a shared API server, problems on the error stream: for tests. */
        public static Options forTests(String namespace) {
            return new Options(
                    Duration.ZERO, namespace::equals, 4, line -> System.err.println("[simulated provider] " + line));
        }
    }

    /** When a cluster was last looked at, and when to look again. */
    private static final class Look {
        private String version = "";
        private Instant next = Instant.EPOCH;
        private boolean running;
        private String problem = "";
    }

    private SimulatedProvider(ControlPlane management, Options options, Optional<SharedWorkloadApi> shared) {
        this.options = options;
        this.capi = new Capi(management.json());
        this.apis = new WorkloadApis(management.etcd(), options.maximumServers(), shared);
        this.simulation = new SimulatedCluster(capi, apis);
    }

    /** Starts playing; the Cluster API kinds must be installed. */
    public static SimulatedProvider start(ControlPlane management, Options options) {
        return start(management, options, Optional.empty());
    }

    /** Starts playing with one API server for all workload clusters. */
    public static SimulatedProvider start(ControlPlane management, Options options, SharedWorkloadApi shared) {
        return start(management, options, Optional.of(shared));
    }

    private static SimulatedProvider start(
            ControlPlane management, Options options, Optional<SharedWorkloadApi> shared) {
        SimulatedProvider provider = new SimulatedProvider(management, options, shared);
        var unused = provider.scanner.scheduleWithFixedDelay(provider::scan, 0, SCAN.toMillis(), TimeUnit.MILLISECONDS);
        return provider;
    }

    private void scan() {
        try {
            List<ObjectNode> clusters = capi.api().list(CLUSTERS);
            Set<String> present = new HashSet<>();
            for (ObjectNode cluster : clusters) {
                if (!options.namespaces().test(Capi.namespace(cluster))) {
                    continue;
                }
                present.add(Capi.uid(cluster));
                lookIfDue(cluster);
            }
            looks.keySet().stream()
                    .filter(uid -> !present.contains(uid))
                    .toList()
                    .forEach(this::forget);
        } catch (ApiError | UncheckedIOException e) {
            options.report().accept("Cannot list clusters: " + e.getMessage());
        } catch (RuntimeException e) {
            // An exception would end the schedule without a word; being interrupted while stopping is none.
            if (!scanner.isShutdown()) {
                options.report().accept("Unexpected: " + e);
            }
        }
    }

    /** A cluster that went without our finalizer, removed by force. */
    private void forget(String uid) {
        Look look = looks.get(uid);
        synchronized (look) {
            if (look.running) {
                return;
            }
        }
        looks.remove(uid);
        apis.remove(uid);
    }

    private void lookIfDue(ObjectNode cluster) {
        Look look = looks.computeIfAbsent(Capi.uid(cluster), uid -> new Look());
        String version = cluster.path("metadata").path("resourceVersion").asText();
        synchronized (look) {
            boolean due = !version.equals(look.version) || !clock.instant().isBefore(look.next);
            if (look.running || !due) {
                return;
            }
            look.running = true;
            look.version = version;
        }
        workers.execute(() -> look(cluster, look));
    }

    private void look(ObjectNode cluster, Look look) {
        Duration next = LATER;
        String problem = "";
        try {
            Pass pass = new Pass(cluster, simulation.behaviour(cluster, options.delay()), clock);
            simulation.advance(pass);
            next = pass.hasChanged() ? SOON : LATER;
        } catch (ApiError | UncheckedIOException | IllegalArgumentException e) {
            // Conflicts and objects that just went away are daily business: look again.
            problem = e instanceof ApiError error && (error.status() == 409 || error.status() == 404)
                    ? ""
                    : String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            problem = "Unexpected: " + e;
        }
        synchronized (look) {
            if (!problem.isEmpty() && !problem.equals(look.problem)) {
                options.report().accept(Capi.namespace(cluster) + "/" + Capi.name(cluster) + ": " + problem);
            }
            look.problem = problem;
            look.running = false;
            look.next = clock.instant().plus(next);
        }
    }

    /** Stops playing and ends all workload API servers; their data stays in etcd. */
    @Override
    public void close() {
        scanner.shutdownNow();
        workers.shutdownNow();
        try {
            workers.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        apis.close();
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            Thread thread = new Thread(work, "simulated-provider-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
