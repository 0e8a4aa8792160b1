package dev.slipway.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Notification.Event;
import dev.slipway.notify.WebhookProperties.Format;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each kind of receiver is sent. */
class MessageFormatTest {

    /** The fields of postableAlert in Alertmanager's OpenAPI; its server answers 400 to a wrong shape. */
    private static final Set<String> POSTABLE_ALERT =
            Set.of("startsAt", "endsAt", "annotations", "labels", "generatorURL");

    private static final String PUBLIC_URL = "https://slipway.example.com/console/";

    private static JsonNode written(Format format, String publicUrl, Event event, Escalation escalation)
            throws Exception {
        WebhookSettings settings = WebhookSettings.of(new WebhookProperties(
                "https://receiver.example.com/hook", format, null, Duration.ofSeconds(5), null, publicUrl));
        return new ObjectMapper()
                .readTree(Facts.write(MessageFormat.of(settings).body("key-1", event, escalation)));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void alertmanagerGetsOneAlertOfItsOwnShape() throws Exception {
        // when
        JsonNode alerts = written(Format.ALERTMANAGER, PUBLIC_URL, Event.OPENED, Samples.opened("e1"));

        // then
        assertThat(alerts.isArray()).isTrue();
        assertThat(alerts).hasSize(1);
        JsonNode alert = alerts.get(0);
        assertThat(POSTABLE_ALERT).containsAll(names(alert));
        assertThat(alert.get("labels").toString())
                .isEqualTo("{\"alertname\":\"SlipwayPhaseStuck\",\"namespace\":\"team-a\",\"cluster\":\"c1\","
                        + "\"flow\":\"init\",\"phase\":\"EnsureCertificates\",\"reason\":\"CaExpired\","
                        + "\"severity\":\"warning\",\"escalation\":\"e1\"}");
        assertThat(alert.get("annotations").get("summary").asText())
                .isEqualTo("EnsureCertificates of team-a/c1 needs an operator: CaExpired");
        assertThat(alert.get("annotations").get("description").asText())
                .isEqualTo("Secret team-a/c1-ca: its certificate expired on 2026-02-28\n"
                        + "In this phase since 2026-03-01T11:00:00Z, attempts: 12.\n"
                        + "1. Renew the certificate in Secret team-a/c1-ca\n2. Retry the phase");
        assertThat(alert.get("annotations").get("console_url").asText())
                .isEqualTo("https://slipway.example.com/console/");
        assertThat(alert.get("generatorURL").asText())
                .isEqualTo("https://slipway.example.com/console/api/v1/clusters/team-a/c1");
    }

    @Test
    void anOpenAlertEndsFarAheadSoThatAlertmanagerDoesNotTakeItForResolved() throws Exception {
        // when
        JsonNode alert = written(Format.ALERTMANAGER, "", Event.OPENED, Samples.opened("e1"))
                .get(0);

        // then
        assertThat(Instant.parse(alert.get("startsAt").asText())).isEqualTo(Samples.OPENED);
        assertThat(Instant.parse(alert.get("endsAt").asText()))
                .isAfterOrEqualTo(Samples.OPENED.plus(Duration.ofDays(300)));
        assertThat(alert.has("generatorURL")).isFalse();
        assertThat(alert.get("annotations").has("console_url")).isFalse();
    }

    @Test
    void aClosedAlertHasTheSameLabelsAndEndedInThePastOfAClockThatIsBehind() throws Exception {
        // given
        JsonNode opened = written(Format.ALERTMANAGER, "", Event.OPENED, Samples.opened("e1"))
                .get(0);

        // when
        JsonNode closed = written(Format.ALERTMANAGER, "", Event.CLOSED, Samples.closed("e1"))
                .get(0);

        // then
        assertThat(closed.get("labels")).isEqualTo(opened.get("labels"));
        assertThat(closed.get("startsAt")).isEqualTo(opened.get("startsAt"));
        assertThat(Instant.parse(closed.get("endsAt").asText())).isEqualTo(Samples.CLOSED.minusSeconds(60));
        assertThat(closed.get("annotations").get("summary").asText())
                .isEqualTo("EnsureCertificates of team-a/c1 no longer needs an operator: it recovered");
    }

    @Test
    void anAlertNeverEndsBeforeItStarts() throws Exception {
        // given
        Escalation brief = Samples.closed(Samples.opened("e1"), Samples.OPENED.plusSeconds(5), "Recovered");

        // when
        JsonNode alert = written(Format.ALERTMANAGER, "", Event.CLOSED, brief).get(0);

        // then
        assertThat(alert.get("endsAt")).isEqualTo(alert.get("startsAt"));
    }

    @Test
    void slackGetsTextAndBlocksWithinItsLimitsAndWithoutForeignMarkup() throws Exception {
        // given
        String shout = "<!channel> a & b " + "x".repeat(4000);

        // when
        JsonNode message =
                written(Format.SLACK, PUBLIC_URL, Event.OPENED, Samples.opened("e1", "R".repeat(200), shout));

        // then
        assertThat(names(message)).containsExactlyInAnyOrder("text", "blocks");
        assertThat(message.get("blocks").findValuesAsText("type"))
                .contains("header", "section", "context", "mrkdwn", "plain_text");
        assertThat(message.at("/blocks/0/text/text").asText()).hasSizeLessThanOrEqualTo(150);
        assertThat(message.at("/blocks/1/text/text").asText())
                .startsWith("&lt;!channel&gt; a &amp; b xxx")
                .hasSizeLessThanOrEqualTo(3000);
        assertThat(message.at("/blocks/2/text/text").asText())
                .isEqualTo("1. Renew the certificate in Secret team-a/c1-ca\n2. Retry the phase");
        assertThat(message.at("/blocks/3/elements/0/text").asText())
                .endsWith("<https://slipway.example.com/console/|Console>");
    }

    @Test
    void slackIsToldShortlyThatItIsOver() throws Exception {
        // when
        JsonNode message =
                written(Format.SLACK, "", Event.CLOSED, Samples.closed(Samples.opened("e1"), Samples.CLOSED, "RETRY"));

        // then
        assertThat(message.get("text").asText())
                .isEqualTo("EnsureCertificates of team-a/c1 no longer needs an operator: an operator decided RETRY");
        assertThat(message.get("blocks")).hasSize(2);
    }

    @Test
    void slipwaysOwnFormatHasEverything() throws Exception {
        // when
        JsonNode message = written(Format.SLIPWAY, PUBLIC_URL, Event.CLOSED, Samples.closed("e1"));

        // then
        assertThat(message)
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        """
                {
                  "version": 1,
                  "key": "key-1",
                  "event": "closed",
                  "escalation": "e1",
                  "summary": "EnsureCertificates of team-a/c1 no longer needs an operator: it recovered",
                  "cluster": {"namespace": "team-a", "name": "c1", "uid": "uid-1"},
                  "flow": {"id": "flow-1", "kind": "init"},
                  "phase": {"name": "EnsureCertificates", "title": "Certificates",
                            "since": "2026-03-01T11:00:00Z", "attempts": 15},
                  "reason": "CaExpired",
                  "message": "Secret team-a/c1-ca: its certificate expired on 2026-02-28",
                  "actions": ["Renew the certificate in Secret team-a/c1-ca", "Retry the phase"],
                  "choices": ["RETRY", "ABORT"],
                  "openedAt": "2026-03-01T11:05:00Z",
                  "closedAt": "2026-03-01T11:45:00Z",
                  "outcome": "Recovered",
                  "consoleUrl": "https://slipway.example.com/console/",
                  "clusterUrl": "https://slipway.example.com/console/api/v1/clusters/team-a/c1"
                }
                """));
    }

    @Test
    void whatAnEscalationWasOpenedWithIsReadBackAsItWas() {
        // given
        Escalation escalation = Samples.closed("e1");

        // then
        assertThat(Facts.read(Facts.write(escalation))).contains(escalation);
        assertThat(Facts.read(Facts.write(Collections.singletonMap("id", 1)).replace("1", "[")))
                .isEmpty();
    }
}
