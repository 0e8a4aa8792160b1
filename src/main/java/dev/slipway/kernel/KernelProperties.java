package dev.slipway.kernel;

import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How phases are run.
 *
 * @param clock which clock drives re-checks: {@code engine} (boundary timers), {@code runner}, or {@code auto}
 * @param autoThreshold with {@code auto}, the number of waits on this node above which the runner's clock drives
 * @param threads threads for phases that answer quickly; the same number again serves those that do not
 * @param slowAfter a run longer than this moves its phase to the threads for slow ones
 * @param runDeadline how long one run of a phase may take
 * @param maxRequeue the longest pause between two checks while nothing changes
 * @param blockedRecheck the first pause before a blocked phase is looked at again
 * @param deadMan with the runner's clock, how far ahead of the next check the boundary timer stays
 * @param stuckScale factor on the diagrams' stuck timers; below 1 for demonstrations
 */
@Validated
@ConfigurationProperties("slipway.phases")
public record KernelProperties(
        @DefaultValue("auto") ClockMode clock,
        @DefaultValue("300") @Min(0) int autoThreshold,
        @DefaultValue("16") @Min(1) int threads,
        @DefaultValue("2s") Duration slowAfter,
        @DefaultValue("30s") Duration runDeadline,
        @DefaultValue("60s") Duration maxRequeue,
        @DefaultValue("60s") Duration blockedRecheck,
        @DefaultValue("5m") Duration deadMan,
        @DefaultValue("1") @DecimalMin("0.0001") double stuckScale) {

    /** Which clock drives re-checks. */
    public enum ClockMode {
        /** The engine's below the threshold, the runner's above. */
        AUTO,
        /** Boundary timers, as drawn. */
        ENGINE,
        /** The runner's own, at no database cost. */
        RUNNER
    }
}
