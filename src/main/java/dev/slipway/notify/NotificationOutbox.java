package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.kernel.EscalationListener;
import dev.slipway.notify.Notification.Event;
import java.time.Clock;
import java.time.Instant;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes down, in the escalation's own transaction, that it is to be told; and wakes the delivery after the commit.
 *
 * <p>So an escalation that is rolled back is never told, and one that is committed is, whatever crashes.
 */
final class NotificationOutbox implements EscalationListener {

    private final NotificationStore store;
    private final Clock clock;
    private final Runnable wake;

    NotificationOutbox(NotificationStore store, Clock clock, Runnable wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
    }

    @Override
    public void opened(Escalation escalation) {
        add(Event.OPENED, escalation);
    }

    @Override
    public void closed(Escalation escalation) {
        // What it was opened with: the cause may be another one by now, and receivers know it by the first.
        Escalation opening =
                store.openingOf(escalation.id()).flatMap(Facts::read).orElse(escalation);
        Instant end = escalation.closedAt() == null ? clock.instant() : escalation.closedAt();
        add(
                Event.CLOSED,
                new Escalation(
                        opening.id(),
                        opening.flowId(),
                        opening.kind(),
                        opening.cluster(),
                        opening.phase(),
                        opening.title(),
                        opening.since(),
                        opening.attempts(),
                        opening.reason(),
                        opening.message(),
                        opening.actions(),
                        opening.choices(),
                        opening.openedAt(),
                        end,
                        escalation.outcome()));
    }

    private void add(Event event, Escalation escalation) {
        store.add(escalation.id(), event, Facts.write(escalation), clock.instant());
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            wake.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                wake.run();
            }
        });
    }
}
