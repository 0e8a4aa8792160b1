package dev.slipway.audit;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The audit trail.
 *
 * @param keep how long it is kept who did what
 */
@Validated
@ConfigurationProperties("slipway.audit")
public record AuditSettings(@DefaultValue("400d") @NotNull @DurationMin(days = 90) Duration keep) {}
