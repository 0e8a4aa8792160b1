package dev.slipway.receipt;

import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The receipts of deletions.
 *
 * @param keep how long a receipt is kept after the deletion has ended
 */
@Validated
@ConfigurationProperties("slipway.receipts")
public record ReceiptSettings(@DefaultValue("400d") @NotNull @DurationMin(days = 90) Duration keep) {}
