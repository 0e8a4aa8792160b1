package dev.slipway.notify;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** Counts attempts by result, and what is still to be delivered. */
final class NotificationMeters {

    private static final String ATTEMPTS = "slipway.notifications";

    private final AtomicLong undelivered = new AtomicLong();
    private final Counter delivered;
    private final Counter failed;
    private final Counter givenUp;

    NotificationMeters(MeterRegistry meters) {
        delivered = result(meters, "Delivered");
        failed = result(meters, "Failed");
        givenUp = result(meters, "GivenUp");
        Gauge.builder("slipway.notifications.undelivered", undelivered, AtomicLong::get)
                .description("Notifications of all nodes that are neither delivered nor given up")
                .register(meters);
    }

    private static Counter result(MeterRegistry meters, String result) {
        return Counter.builder(ATTEMPTS)
                .description("Attempts of this node at delivering notifications")
                .tag("result", result)
                .register(meters);
    }

    void delivered() {
        delivered.increment();
    }

    void failed() {
        failed.increment();
    }

    void givenUp() {
        givenUp.increment();
    }

    void undelivered(long count) {
        undelivered.set(count);
    }
}
