package dev.slipway.workitem;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How work items are looked after.
 *
 * @param drift how often an installed work item is compared with what is in the workload cluster
 */
@Validated
@ConfigurationProperties("slipway.work-items")
public record ItemSettings(@DefaultValue("10m") @NotNull @DurationMin(seconds = 5) Duration drift) {}
