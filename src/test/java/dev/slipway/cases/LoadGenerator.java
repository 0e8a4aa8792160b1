package dev.slipway.cases;

import dev.slipway.controlplane.ApiError;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import java.io.UncheckedIOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps an API server busy with so many requests a second: reads, lists and writes of secrets. */
final class LoadGenerator implements AutoCloseable {

    private static final int THREADS = 8;
    private static final long MICROS = 1_000_000;

    private final ScheduledExecutorService workers = Executors.newScheduledThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "load");
        thread.setDaemon(true);
        return thread;
    });
    private final JsonApi api;
    private final String path;
    private final AtomicLong sent = new AtomicLong();
    private final long started = System.nanoTime();

    private LoadGenerator(ControlPlane plane, double perSecond) {
        this.api = plane.json();
        this.path = "/api/v1/namespaces/" + plane.newNamespace("load") + "/secrets";
        api.create(path, JsonApi.parse("{\"metadata\": {\"name\": \"busy\"}}"));
        long period = Math.max(1, (long) (THREADS * MICROS / perSecond));
        for (int i = 0; i < THREADS; i++) {
            var unused = workers.scheduleAtFixedRate(this::send, i * period / THREADS, period, TimeUnit.MICROSECONDS);
        }
    }

    /** Starts one that is as fast as the machine allows, but not faster than that. */
    static LoadGenerator start(ControlPlane plane, double perSecond) {
        return new LoadGenerator(plane, perSecond);
    }

    /** Requests per second so far. */
    double rate() {
        return sent.get() * 1e9 / (System.nanoTime() - started);
    }

    private void send() {
        long number = sent.incrementAndGet();
        try {
            switch ((int) (number % 10)) {
                case 0 -> api.merge(path + "/busy", "{\"metadata\": {\"labels\": {\"n\": \"" + number + "\"}}}");
                case 1, 2 -> api.list(path);
                default -> api.get(path + "/busy");
            }
        } catch (ApiError | UncheckedIOException e) {
            // Too many requests, for example: that is what it is for.
            return;
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
