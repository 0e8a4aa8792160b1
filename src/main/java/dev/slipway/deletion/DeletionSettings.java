package dev.slipway.deletion;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How clusters are deleted.
 *
 * @param unreachableGrace how long a workload cluster that is needed may stay unreachable before anybody is asked
 * @param whenUnreachable what happens then: `ask`: an operator decides; `skip-remote`: the deletion goes on without it,
 *     and the receipt lists what stays
 * @param noProgress how long just the same objects may remain before an operator is asked
 * @param forceAfter how long ago a deletion must have been requested before `FORCE` is allowed
 */
@Validated
@ConfigurationProperties("slipway.delete")
public record DeletionSettings(
        @DefaultValue("10m") @NotNull @DurationMin(seconds = 0) Duration unreachableGrace,
        @DefaultValue("ask") @NotNull WhenUnreachable whenUnreachable,
        @DefaultValue("20m") @NotNull @DurationMin(seconds = 10) Duration noProgress,
        @DefaultValue("30m") @NotNull @DurationMin(seconds = 0) Duration forceAfter) {

    /** What happens with a workload cluster that stays unreachable. */
    public enum WhenUnreachable {
        /** An operator decides. */
        ASK,
        /** The deletion goes on without it. */
        SKIP_REMOTE
    }
}
