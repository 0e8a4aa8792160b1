package dev.slipway.security;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How often somebody may be wrong before they must wait. Each node counts by itself.
 *
 * @param attempts wrong passwords for one name from one address
 * @param attemptsPerName wrong passwords for one name from anywhere; who signed in from their address before may still
 * @param attemptsPerAddress wrong passwords and tokens from one address or IPv6 network of 64 bits; the same exception
 * @param per the time in which that many are forgiven
 */
@Validated
@ConfigurationProperties("slipway.security.sign-in")
public record SignInSettings(
        @DefaultValue("10") @Min(1) int attempts,
        @DefaultValue("100") @Min(1) int attemptsPerName,
        @DefaultValue("100") @Min(1) int attemptsPerAddress,
        @DefaultValue("5m") @NotNull @DurationMin(seconds = 1) Duration per) {}
