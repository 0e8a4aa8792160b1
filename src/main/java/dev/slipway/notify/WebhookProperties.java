package dev.slipway.notify;

import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Whom to tell, once each, that a phase needs an operator and that it no longer does.
 *
 * @param url where to POST, {@code http} or {@code https}; empty for nowhere. An Alertmanager's base address is enough
 * @param format what to POST: alerts of Alertmanager's API v2, a Slack message, or Slipway's own JSON
 * @param bearerTokenFile a file with a token for the receiver, read at each delivery
 * @param timeout deadline of one delivery
 * @param caFile PEM certificates of the authorities to trust instead of the JVM's, read at start
 * @param publicUrl where people reach this Slipway, for links in what is sent; none without it
 */
@Validated
@ConfigurationProperties(WebhookProperties.PREFIX)
public record WebhookProperties(
        @DefaultValue("") @NotNull String url,
        @DefaultValue("alertmanager") @NotNull Format format,
        @Nullable Path bearerTokenFile,
        @DefaultValue("10s") @NotNull @DurationMin(millis = 100) Duration timeout,
        @Nullable Path caFile,
        @DefaultValue("") @NotNull String publicUrl) {

    static final String PREFIX = "slipway.notifications.webhook";

    /** What a receiver understands. */
    public enum Format {
        /** Alerts of Alertmanager's API v2. */
        ALERTMANAGER,
        /** A message for an incoming webhook of Slack. */
        SLACK,
        /** Slipway's own JSON. */
        SLIPWAY
    }

    /** Leaves the address out: an incoming webhook's is a secret. */
    @Override
    public String toString() {
        return "WebhookProperties[format=" + format + ", timeout=" + timeout + "]";
    }
}
