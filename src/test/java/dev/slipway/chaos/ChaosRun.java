package dev.slipway.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.SlipwayProcess;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;
import dev.slipway.kernel.Postgres;
import dev.slipway.sandbox.SharedWorkloadApi;
import dev.slipway.sandbox.SimulatedProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * One chaos run: clusters come, calls fail, Slipway is killed; then peace, and a look at what is left.
 *
 * <p>What is real: API servers, etcd, Slipway in a JVM of its own, its database, {@code SIGKILL}. What is played:
 * Cluster API; all workload clusters share one real API server, each behind a TLS front with its own authority.
 */
final class ChaosRun implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final double CREATED_WITHIN = 0.7;
    /** Each third kill may strike while Slipway starts; the others wait until it answers. */
    private static final int DURING_START = 3;

    private static final long SETTLE_LOOK_MILLIS = 1000;

    private final ChaosOptions options;
    private final Consumer<String> say;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ScheduledExecutorService schedule = Executors.newScheduledThreadPool(2);
    private final Random random;
    private final Path audit;
    private final ControlPlane management;
    private final FaultInjector faults;
    private final Fleet fleet;
    private final Authorities authorities;
    private final Path kubeconfig;
    private final String databaseUrl;
    private volatile SlipwayProcess slipway;
    private int kills;

    ChaosRun(ChaosOptions options, Consumer<String> say) throws IOException {
        this.options = options;
        this.say = say;
        this.random = new Random(options.seed());
        Path folder = options.folder().toAbsolutePath();
        FileSystemUtils.deleteRecursively(folder);
        Files.createDirectories(folder);
        this.audit = folder.resolve("audit.log");
        this.management = opened(ControlPlane.builder().auditOfSecrets(audit).start());
        management.installCrds();
        ControlPlane workload = opened(ControlPlane.builder()
                .etcd(management.etcd())
                .prefix("/workloads")
                .start());
        SharedWorkloadApi shared = opened(new SharedWorkloadApi(workload));
        opened(SimulatedProvider.start(
                management,
                new SimulatedProvider.Options(Duration.ofSeconds(1), ns -> true, options.clusters(), say),
                shared));
        this.fleet = Fleet.plan(management, options, random);
        this.authorities = new Authorities(fleet);
        this.faults = opened(FaultInjector.before(management, options.seed()));
        this.kubeconfig = faults.writeKubeconfig(folder.resolve("kubeconfig"));
        this.databaseUrl = options.postgres()
                ? Postgres.url()
                : "jdbc:h2:file:" + folder.resolve("data").resolve("slipway")
                        + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=10000";
        options.faults().startIn(faults);
        this.slipway = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> slipway.close(), "end-slipway"));
    }

    /** Goes through all of it. */
    ChaosReport run() throws Exception {
        long begun = System.nanoTime();
        chaos();
        faults.clear();
        Duration chaos = since(begun);
        say.accept("Faults end after " + chaos.toSeconds() + " s: " + faults.injected());
        long peace = System.nanoTime();
        boolean settled = settle();
        Duration settling = since(peace);
        say.accept((settled ? "Settled after " : "Not settled after ") + settling.toSeconds() + " s");
        authorities.look();
        Map<String, JsonNode> clusters = fleet.look();
        slipway.stop();
        Violations violations = new Violations();
        authorities.check(violations);
        SecretRecord secrets = SecretRecord.read(audit, fleet.namespace());
        secrets.check(fleet.members(), fleet.secrets().keySet(), violations);
        new Aftermath(database(), fleet.namespace(), fleet.members(), clusters).check(violations);
        return new ChaosReport(
                options,
                faults.injected(),
                faults.calls(),
                kills,
                secrets.verbs(),
                chaos,
                settling,
                clusters.values().stream().filter(Fleet::ready).count(),
                violations.checks(),
                violations.found());
    }

    /** Clusters come and Slipway dies at moments drawn at random; the time counts from when it first answers. */
    private void chaos() throws Exception {
        slipway.awaitAnswer();
        long begun = System.nanoTime();
        Future<?> looking =
                schedule.scheduleWithFixedDelay(authorities::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
        List<Future<?>> creations = new ArrayList<>();
        for (Fleet.Member member : fleet.members()) {
            long at = (long)
                    (random.nextDouble() * CREATED_WITHIN * options.time().toMillis());
            creations.add(schedule.schedule(() -> fleet.create(member), at, TimeUnit.MILLISECONDS));
        }
        Duration apart = options.time().dividedBy(options.kills() + 1);
        for (int i = 1; i <= options.kills(); i++) {
            if (i % DURING_START != 0) {
                slipway.awaitAnswer();
            }
            pause(Duration.ofMillis((long) (random.nextDouble() * apart.toMillis())));
            killAndLaunch();
        }
        pause(options.time().minus(since(begun)));
        for (Future<?> creation : creations) {
            creation.get();
        }
        looking.cancel(false);
        if (!looking.isCancelled()) {
            looking.get();
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        var never = new CountDownLatch(1);
        if (never.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("Nobody counts it down");
        }
    }

    private void killAndLaunch() throws IOException, InterruptedException {
        slipway.kill();
        kills++;
        long ready = fleet.look().values().stream().filter(Fleet::ready).count();
        say.accept("Kill " + kills + ": " + ready + " of " + fleet.members().size() + " clusters are Ready");
        slipway = launch();
    }

    private SlipwayProcess launch() throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "slipway.phases.stuck-scale=" + options.stuckScale(),
                // What a read of an older state has blocked is looked at again soon, and half-open watches end soon.
                "slipway.phases.blocked-recheck=10s",
                "slipway.kubernetes.watch.timeout=20s",
                "spring.datasource.url=" + databaseUrl));
        if (options.postgres()) {
            settings.add("spring.datasource.username=postgres");
            settings.add("spring.datasource.password=");
        }
        return SlipwayProcess.launch(options.folder().toAbsolutePath(), kubeconfig, settings);
    }

    /** Waits until every good cluster is Ready and every broken one waits for an operator. */
    private boolean settle() throws InterruptedException, IOException {
        slipway.awaitAnswer();
        long begun = System.nanoTime();
        CountDownLatch settled = new CountDownLatch(1);
        Future<?> looking = schedule.scheduleWithFixedDelay(
                () -> {
                    authorities.look();
                    if (settledNow()) {
                        settled.countDown();
                    }
                },
                0,
                SETTLE_LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
        boolean done = settled.await(options.settle().minus(since(begun)).toMillis(), TimeUnit.MILLISECONDS);
        looking.cancel(false);
        return done;
    }

    private boolean settledNow() {
        Map<String, JsonNode> clusters = fleet.look();
        return fleet.members().stream().allMatch(member -> {
            JsonNode cluster = clusters.get(member.name());
            return member.defect().isEmpty()
                    ? Fleet.ready(cluster)
                    : Fleet.needsOperator(cluster, member.defect().get());
        });
    }

    private JdbcTemplate database() {
        return new JdbcTemplate(new DriverManagerDataSource(databaseUrl, options.postgres() ? "postgres" : "sa", ""));
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    @Override
    public void close() throws Exception {
        schedule.shutdownNow();
        if (slipway != null) {
            slipway.close();
        }
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
