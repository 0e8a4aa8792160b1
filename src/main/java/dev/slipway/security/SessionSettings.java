package dev.slipway.security;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How long people stay signed in to the console and the webapps.
 *
 * @param idle without a request
 * @param longest in all
 */
@Validated
@ConfigurationProperties("slipway.security.session")
public record SessionSettings(
        @DefaultValue("1h") @NotNull @DurationMin(seconds = 60) Duration idle,
        @DefaultValue("12h") @NotNull @DurationMin(seconds = 60) Duration longest) {}
