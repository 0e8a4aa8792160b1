package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One time that a phase needed an operator, from the moment it was stuck or blocked until it no longer was.
 *
 * @param id the same for opening and closing
 * @param flowId the process instance
 * @param kind the flow, for example {@code init}
 * @param cluster whose flow it is
 * @param phase the phase's name, for example {@code EnsureCertificates}
 * @param title what operators read, for example {@code Certificates}
 * @param since when the phase was entered
 * @param attempts how often it had run when it was escalated
 * @param reason the cause, UpperCamel, for example {@code CaExpired}; never a mere conflict of two writers
 * @param message the cause in a sentence that names the object
 * @param actions what a person can do, in order
 * @param choices what an operator may decide, by name
 * @param openedAt when it was escalated
 * @param closedAt when it was over; null while open
 * @param outcome how it ended: {@code Recovered}, {@code Left} (the flow ended or was ended), or the operator's choice;
 *     null while open
 */
public record Escalation(
        String id,
        String flowId,
        String kind,
        ClusterRef cluster,
        String phase,
        String title,
        Instant since,
        int attempts,
        String reason,
        String message,
        List<String> actions,
        List<String> choices,
        Instant openedAt,
        @Nullable Instant closedAt,
        @Nullable String outcome) {

    public Escalation {
        actions = List.copyOf(actions);
        choices = List.copyOf(choices);
    }
}
