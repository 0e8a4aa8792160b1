package dev.slipway.notify;

import dev.slipway.MovedClock;
import dev.slipway.kernel.Escalation;
import dev.slipway.queue.Backoff;
import dev.slipway.storage.Databases;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One node's notifications on a real database, with a clock to move. */
final class NotificationLab {

    final MovedClock clock;
    final JdbcClient jdbc;
    final NotificationStore store;
    final MeterRegistry meters = new SimpleMeterRegistry();
    final Courier courier;
    final DeliveryLoop loop;
    final NotificationOutbox outbox;
    final TransactionTemplate transactions;

    NotificationLab(DataSource database, MovedClock clock, WebhookProperties properties) {
        Databases.migrate(database);
        this.clock = clock;
        jdbc = JdbcClient.create(database);
        transactions = new TransactionTemplate(new DataSourceTransactionManager(database));
        store = new NotificationStore(jdbc);
        WebhookSettings settings = WebhookSettings.of(properties);
        courier = new Courier(
                store,
                settings,
                clock,
                new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5), () -> 0.5),
                new NotificationMeters(meters));
        loop = new DeliveryLoop(courier, clock, settings.timeout());
        outbox = new NotificationOutbox(store, clock, loop::wake);
    }

    void open(Escalation escalation) {
        transactions.executeWithoutResult(status -> outbox.opened(escalation));
    }

    void close(Escalation escalation) {
        transactions.executeWithoutResult(status -> outbox.closed(escalation));
    }

    void openAndRollBack(Escalation escalation) {
        transactions.executeWithoutResult(status -> {
            outbox.opened(escalation);
            status.setRollbackOnly();
        });
    }

    /** Does what the loop does at this moment: works until nothing is due any more. Tells when it would look again. */
    Instant deliver() throws InterruptedException {
        Instant next = courier.work();
        while (!next.isAfter(clock.instant())) {
            next = courier.work();
        }
        return next;
    }

    /** Moves the clock, and delivers as often as the loop would have meanwhile. */
    void pass(Duration time) throws InterruptedException {
        Instant end = clock.instant().plus(time);
        for (Instant next = nextWork(end); next.isBefore(end); next = nextWork(end)) {
            clock.move(Duration.between(clock.instant(), next));
        }
        clock.move(Duration.between(clock.instant(), end));
        deliver();
    }

    /** Looks that find nothing to do are left out. */
    private Instant nextWork(Instant end) throws InterruptedException {
        Instant look = deliver();
        Instant due = store.nextDue().orElse(end);
        return due.isAfter(look) ? due : look;
    }

    double count(String result) {
        return meters.get("slipway.notifications")
                .tag("result", result)
                .counter()
                .count();
    }

    double undelivered() {
        return meters.get("slipway.notifications.undelivered").gauge().value();
    }
}
