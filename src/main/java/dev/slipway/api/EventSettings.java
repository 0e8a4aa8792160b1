package dev.slipway.api;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The streams of live changes.
 *
 * @param perUser how many streams one user may have open on a node
 * @param total how many streams a node has open at most
 * @param heartbeat how often something is sent at least, so that dead connections are noticed
 * @param lifetime how long a stream lasts; whoever connects again is asked again who they are
 */
@Validated
@ConfigurationProperties("slipway.events")
record EventSettings(
        @DefaultValue("20") @Min(1) int perUser,
        @DefaultValue("1000") @Min(1) int total,
        @DefaultValue("15s") @NotNull @DurationMin(millis = 100) Duration heartbeat,
        @DefaultValue("5m") @NotNull @DurationMin(seconds = 10) Duration lifetime) {}
