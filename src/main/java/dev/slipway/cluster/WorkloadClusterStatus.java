package dev.slipway.cluster;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the object tells people about its flows. Written best-effort; nothing decides by it.
 *
 * @param phase how the cluster stands
 * @param ready whether it can be used
 * @param observedGeneration the generation of the spec that this speaks of
 * @param conditions what holds and what does not
 * @param flow the latest flow
 */
public record WorkloadClusterStatus(
        @Nullable String phase,
        boolean ready,
        @Nullable Long observedGeneration,
        List<Condition> conditions,
        @Nullable Flow flow) {

    public WorkloadClusterStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /**
     * One statement in Kubernetes' usual shape.
     *
     * @param type what it speaks of, for example {@code CertificatesReady}
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param observedGeneration the generation that it speaks of
     * @param lastTransitionTime when the status changed last
     * @param reason why, UpperCamel
     * @param message why, for people
     */
    public record Condition(
            String type,
            String status,
            @Nullable Long observedGeneration,
            Instant lastTransitionTime,
            String reason,
            String message) {}

    /**
     * The latest flow.
     *
     * @param id the process instance
     * @param kind for example {@code init}
     * @param phase where it is or was last, for example {@code EnsureCertificates}
     * @param state how the phase or the flow stands
     * @param attempt how often the phase has run
     * @param reason what is awaited or wrong
     * @param message the last observation
     * @param nextCheck when the phase looks again
     * @param since when the phase was entered
     */
    public record Flow(
            @Nullable String id,
            @Nullable String kind,
            @Nullable String phase,
            @Nullable String state,
            @Nullable Integer attempt,
            @Nullable String reason,
            @Nullable String message,
            @Nullable Instant nextCheck,
            @Nullable Instant since) {}
}
