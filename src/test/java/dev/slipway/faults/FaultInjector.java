package dev.slipway.faults;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.Rule.Frequency;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * An HTTPS reverse proxy before a real API server that lets things go wrong, as scripted.
 *
 * <p>{@code injector.on(verb("create"), resource("secrets")).times(1).loseAnswer()}. Rules are tried in the order in
 * which they were made; several may act on one call, until one keeps it from the server. What strikes is drawn from
 * the seed: the same draws for the same calls in the same order.
 */
public final class FaultInjector implements AutoCloseable {

    private static final String FAULTS = "faults";
    private static final int OK = 200;

    private final Vertx vertx = Vertxes.small();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Recording> recordings = new CopyOnWriteArrayList<>();
    private final Map<FaultKind, AtomicLong> injected = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> calls = new ConcurrentHashMap<>();
    private final Random seeds;
    private final Past past;
    private final TlsProxy proxy;
    private final Pki.Pem authority = Pki.authority("slipway-fault-injector");
    private final String kubeconfig;
    private volatile boolean cleared = true;

    private FaultInjector(ControlPlane plane, long seed) {
        this.seeds = new Random(seed);
        Upstream upstream = Upstream.of(vertx, plane);
        this.past = new Past(vertx, upstream);
        this.proxy = TlsProxy.start(vertx, Pki.serving(authority), authority.certificate(), upstream, new Striking());
        this.kubeconfig = Kubeconfig.of(
                "fault-injector", server(), authority.certificate(), Pki.client(authority, "fault-injector", ""));
    }

    /** Starts one before that API server; without rules it changes nothing. */
    public static FaultInjector before(ControlPlane plane) {
        return before(plane, 1);
    }

    /** Starts one whose probabilities are drawn from that seed. */
    public static FaultInjector before(ControlPlane plane, long seed) {
        return new FaultInjector(plane, seed);
    }

    /** Begins a rule for calls that match all patterns. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Script on(Predicate<ApiCall>... patterns) {
        Predicate<ApiCall> pattern = List.of(patterns).stream().reduce(Calls.all(), Predicate::and);
        synchronized (seeds) {
            return new Script(pattern, Frequency.ALWAYS, new Random(seeds.nextLong()), past, this::add);
        }
    }

    /** Begins to write down the calls that match all patterns; {@link #clear} ends it. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Recording record(Predicate<ApiCall>... patterns) {
        Recording recording = new Recording(List.of(patterns).stream().reduce(Calls.all(), Predicate::and));
        recordings.add(recording);
        return recording;
    }

    /** Refuses connections from now on, and cuts those that are open. */
    public void refuse() {
        TlsProxy.wait(refuseLater());
    }

    /** Accepts connections again. */
    public void accept() {
        TlsProxy.wait(proxy.open());
    }

    /** Lets outages come and go until cleared: so far apart on average, each up to that long. */
    public void outages(Duration apart, Duration longest) {
        cleared = false;
        Random random = new Random(seeds.nextLong());
        nextOutage(apart, longest, random);
    }

    /** Ends all faults and recordings: from now on everything passes. */
    public void clear() {
        cleared = true;
        rules.clear();
        recordings.clear();
    }

    /** How many faults of each kind were injected. */
    public Map<FaultKind, Long> injected() {
        Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
        injected.forEach((kind, count) -> counts.put(kind, count.get()));
        return counts;
    }

    /** How many requests came, by verb. */
    public Map<String, Long> calls() {
        Map<String, Long> counts = new TreeMap<>();
        calls.forEach((verb, count) -> counts.put(verb, count.get()));
        return counts;
    }

    /** Where it listens. */
    public String server() {
        return "https://127.0.0.1:" + proxy.port();
    }

    /** PEM of the authority behind its certificate. */
    public String authority() {
        return authority.certificate();
    }

    /** A kubeconfig that leads through it; the API server then sees its administrator. */
    public String kubeconfig() {
        return kubeconfig;
    }

    /** Writes the kubeconfig, readable by its owner only. */
    public Path writeKubeconfig(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }

    /** A new client of the official library that goes through it. */
    public ApiClient apiClient() {
        try {
            return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clear();
        TlsProxy.wait(vertx.close());
    }

    private void add(Rule rule) {
        rules.add(rule);
    }

    private Future<Void> refuseLater() {
        count(FaultKind.REFUSED);
        return proxy.shut();
    }

    private void nextOutage(Duration apart, Duration longest, Random random) {
        long pause = 1 + (long) (2 * random.nextDouble() * apart.toMillis());
        long length = 1 + (long) (random.nextDouble() * longest.toMillis());
        vertx.setTimer(pause, begin -> {
            if (!cleared) {
                refuseLater()
                        .onComplete(shut -> vertx.setTimer(
                                length, end -> proxy.open().onComplete(open -> nextOutage(apart, longest, random))));
            }
        });
    }

    private void count(FaultKind kind) {
        injected.computeIfAbsent(kind, k -> new AtomicLong()).incrementAndGet();
    }

    private List<Fault> faultsFor(ApiCall call) {
        List<Fault> faults = new ArrayList<>();
        for (Rule rule : rules) {
            Optional<Fault> fault = rule.strike(call);
            if (fault.isPresent()) {
                count(rule.kind());
                faults.add(fault.get());
                if (fault.get().endsCall()) {
                    break;
                }
            }
        }
        return faults;
    }

    /** Lets the faults of a call act, each around the next. */
    private final class Striking implements ProxyInterceptor {

        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            var request = context.request().proxiedRequest();
            ApiCall call = ApiCall.of(request.method().name(), request.uri());
            calls.computeIfAbsent(call.verb(), verb -> new AtomicLong()).incrementAndGet();
            recordings.forEach(recording -> recording.note(call));
            List<Fault> faults = faultsFor(call);
            context.set(FAULTS, faults);
            return ask(context, faults, 0);
        }

        private Future<ProxyResponse> ask(ProxyContext context, List<Fault> faults, int index) {
            return index == faults.size()
                    ? context.sendRequest()
                    : faults.get(index).ask(context, () -> ask(context, faults, index + 1));
        }

        @Override
        public Future<Void> handleProxyResponse(ProxyContext context) {
            List<?> faults = context.get(FAULTS, List.class);
            var request = context.request().proxiedRequest();
            boolean watch = ApiCall.of(request.method().name(), request.uri()).isWatch();
            if (watch && context.response().getStatusCode() == OK) {
                Bodies.openAtOnce(context.response());
            }
            return answer(context, faults, 0);
        }

        private Future<Void> answer(ProxyContext context, List<?> faults, int index) {
            return index == faults.size()
                    ? context.sendResponse()
                    : ((Fault) faults.get(index)).answer(context, () -> answer(context, faults, index + 1));
        }
    }
}
