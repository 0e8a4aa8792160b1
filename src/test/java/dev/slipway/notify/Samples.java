package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.WebhookProperties.Format;
import dev.slipway.phase.ClusterRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Escalations and settings to test with. */
final class Samples {

    static final Instant OPENED = Instant.parse("2026-03-01T11:05:00Z");
    static final Instant CLOSED = Instant.parse("2026-03-01T11:45:00Z");

    private Samples() {}

    static Escalation opened(String id) {
        return opened(id, "CaExpired", "Secret team-a/c1-ca: its certificate expired on 2026-02-28");
    }

    static Escalation opened(String id, String reason, String message) {
        return new Escalation(
                id,
                "flow-1",
                "init",
                new ClusterRef("team-a", "c1", "uid-1"),
                "EnsureCertificates",
                "Certificates",
                Instant.parse("2026-03-01T11:00:00Z"),
                12,
                reason,
                message,
                List.of("Renew the certificate in Secret team-a/c1-ca", "Retry the phase"),
                List.of("RETRY", "ABORT"),
                OPENED,
                null,
                null);
    }

    static Escalation closed(Escalation opening, Instant at, String outcome) {
        return new Escalation(
                opening.id(),
                opening.flowId(),
                opening.kind(),
                opening.cluster(),
                opening.phase(),
                opening.title(),
                opening.since(),
                opening.attempts() + 3,
                opening.reason(),
                opening.message(),
                opening.actions(),
                opening.choices(),
                opening.openedAt(),
                at,
                outcome);
    }

    static Escalation closed(String id) {
        return closed(opened(id), CLOSED, "Recovered");
    }

    static WebhookProperties to(String url) {
        return new WebhookProperties(url, Format.SLIPWAY, null, Duration.ofSeconds(5), null, "");
    }

    static WebhookProperties withToken(String url, Path token) {
        return new WebhookProperties(url, Format.SLIPWAY, token, Duration.ofSeconds(5), null, "");
    }
}
