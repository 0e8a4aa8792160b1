package dev.slipway.security;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Tokens of the management cluster as a way to sign in to the REST API.
 *
 * @param enabled whether {@code Authorization: Bearer} is accepted
 * @param audiences for which a token must have been issued, one of them; empty for the API server's own
 * @param cache how long the management cluster's answers are remembered
 */
@Validated
@ConfigurationProperties("slipway.security.kubernetes")
public record KubernetesSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> audiences,
        @DefaultValue("10s") @NotNull @DurationMin(seconds = 1) @DurationMax(seconds = 60) Duration cache) {}
