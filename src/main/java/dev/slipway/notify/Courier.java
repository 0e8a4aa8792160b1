package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Delivery.Accepted;
import dev.slipway.notify.Delivery.Refused;
import dev.slipway.notify.Delivery.Unavailable;
import dev.slipway.notify.Notification.Failure;
import dev.slipway.queue.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Delivers what is due, one notification at a time, without a transaction or a connection while it waits.
 *
 * <ul>
 *   <li>a notification is claimed by one node for one attempt; if that node dies, it is due again after the lease
 *   <li>not reached, 408, 429, 5xx: tried again until it is delivered, 2 s to 5 min apart, not before Retry-After
 *   <li>refused otherwise: tried again at the same pace, and given up after a day of refusals
 * </ul>
 */
final class Courier {

    static final Duration RETENTION = Duration.ofDays(30);
    static final Duration PATIENCE_WITH_REFUSALS = Duration.ofDays(1);

    /** On top of the deadline of an attempt: for the database, and for nodes whose clocks differ. */
    static final Duration LEASE_MARGIN = Duration.ofSeconds(30);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration TIDY_EVERY = Duration.ofHours(1);
    private static final Logger log = LoggerFactory.getLogger(Courier.class);

    private final NotificationStore store;
    private final Webhook webhook;
    private final MessageFormat format;
    private final Duration lease;
    private final Clock clock;
    private final Backoff backoff;
    private final NotificationMeters meters;
    private @Nullable Notification accepted;
    private Instant leaveAloneUntil = Instant.MIN;
    private Instant nextTidy = Instant.MIN;

    Courier(
            NotificationStore store,
            WebhookSettings settings,
            Clock clock,
            Backoff backoff,
            NotificationMeters meters) {
        this.store = store;
        this.webhook = new Webhook(settings, clock);
        this.format = MessageFormat.of(settings);
        this.lease = settings.timeout().plus(LEASE_MARGIN);
        this.clock = clock;
        this.backoff = backoff;
        this.meters = meters;
    }

    /**
     * Makes one attempt at what has been due for longest, if anything is.
     *
     * @return when to look again; not after now if there may be more to do
     */
    Instant work() throws InterruptedException {
        noteAccepted();
        Instant now = clock.instant();
        if (!now.isBefore(leaveAloneUntil)) {
            Optional<Notification> claimed = store.claim(now, now.plus(lease));
            if (claimed.isPresent()) {
                deliver(claimed.get());
            } else {
                tidy(now);
            }
        }
        meters.undelivered(store.undelivered());
        return nextLook(now);
    }

    private Instant nextLook(Instant now) {
        Instant latest = now.plus(LONGEST_PAUSE);
        Instant due = store.nextDue().orElse(latest);
        Instant next = due.isBefore(leaveAloneUntil) ? leaveAloneUntil : due;
        // Not later: what another node has left behind is due without anybody waking this one.
        return next.isAfter(latest) ? latest : next;
    }

    private void deliver(Notification notification) throws InterruptedException {
        Optional<Escalation> escalation = Facts.read(notification.facts());
        if (escalation.isEmpty()) {
            log.error("Giving up notification {}: its facts cannot be read", notification.id());
            giveUp(notification, "its facts cannot be read");
            return;
        }
        try {
            MDC.put("cluster", escalation.get().cluster().display());
            MDC.put("flow", escalation.get().kind());
            MDC.put("phase", escalation.get().phase());
            String body = Facts.write(format.body(notification.id(), notification.event(), escalation.get()));
            note(notification, webhook.post(notification.id(), body));
        } finally {
            List.of("cluster", "flow", "phase").forEach(MDC::remove);
        }
    }

    private void note(Notification notification, Delivery delivery) {
        if (delivery instanceof Accepted) {
            accepted = notification;
            meters.delivered();
            log.info("Delivered notification {}, attempts: {}", notification.id(), notification.attempts());
            noteAccepted();
        } else if (delivery instanceof Refused refused) {
            refused(notification, refused);
        } else if (delivery instanceof Unavailable unavailable) {
            unavailable(notification, unavailable);
        }
    }

    /** Kept in mind until the database has it: a database that is away must not make the receiver hear it twice. */
    private void noteAccepted() {
        if (accepted != null) {
            store.delivered(accepted, clock.instant());
            accepted = null;
        }
    }

    private void refused(Notification notification, Refused refused) {
        Instant now = clock.instant();
        Instant since = notification.refusedSince() == null ? now : notification.refusedSince();
        if (Duration.between(since, now).compareTo(PATIENCE_WITH_REFUSALS) >= 0) {
            log.error("Giving up notification {}: refused for a day: {}", notification.id(), refused.why());
            giveUp(notification, refused.why());
            return;
        }
        if (notification.failure() != Failure.REFUSED) {
            log.warn(
                    "Notification {} is refused: {}. Check {}.url, format and bearer-token-file; trying for a day",
                    notification.id(),
                    refused.why(),
                    WebhookProperties.PREFIX);
        }
        Instant next = now.plus(backoff.after(notification.attempts()));
        store.failed(notification, Failure.REFUSED, refused.why(), since, next);
        meters.failed();
    }

    private void unavailable(Notification notification, Unavailable unavailable) {
        Instant now = clock.instant();
        if (notification.failure() != Failure.UNAVAILABLE) {
            log.warn("Notification {} is not delivered yet: {}; trying on", notification.id(), unavailable.why());
        }
        if (!unavailable.after().isZero()) {
            // Said to all of this node's requests, not to this one alone.
            leaveAloneUntil = now.plus(unavailable.after());
        }
        Instant next = now.plus(backoff.after(notification.attempts()));
        store.failed(
                notification,
                Failure.UNAVAILABLE,
                unavailable.why(),
                null,
                next.isBefore(leaveAloneUntil) ? leaveAloneUntil : next);
        meters.failed();
    }

    private void giveUp(Notification notification, String why) {
        store.givenUp(notification, why, clock.instant());
        meters.givenUp();
    }

    private void tidy(Instant now) {
        if (now.isBefore(nextTidy)) {
            return;
        }
        nextTidy = now.plus(TIDY_EVERY);
        int removed = store.removeSettledBefore(now.minus(RETENTION));
        if (removed > 0) {
            log.debug("Removed {} notifications that were settled more than 30 days ago", removed);
        }
    }
}
