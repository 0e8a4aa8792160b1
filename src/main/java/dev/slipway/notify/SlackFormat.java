package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Notification.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A message for an incoming webhook of Slack: {@code text} for notifications, {@code blocks} for the channel.
 *
 * <p>Slack refuses a message with a header of more than 150 or a section of more than 3000 characters.
 */
record SlackFormat(Links links) implements MessageFormat {

    private static final int HEADER = 150;
    private static final int SECTION = 2900;

    @Override
    public Object body(String key, Event event, Escalation escalation) {
        String summary = Wording.summary(event, escalation);
        List<Map<String, Object>> blocks = new ArrayList<>();
        blocks.add(
                Map.of("type", "header", "text", Map.of("type", "plain_text", "text", Wording.cut(summary, HEADER))));
        if (event == Event.OPENED) {
            blocks.add(section(Wording.cause(escalation)));
            if (!escalation.actions().isEmpty()) {
                blocks.add(section(Wording.numbered(escalation.actions())));
            }
        }
        blocks.add(context(escalation));
        return Map.of("text", escaped(summary), "blocks", blocks);
    }

    private static Map<String, Object> section(String text) {
        return Map.of("type", "section", "text", markdown(Wording.cut(escaped(text), SECTION)));
    }

    private Map<String, Object> context(Escalation escalation) {
        String console = links.console();
        String text = "Flow " + escalation.kind() + ", phase " + escalation.title();
        return Map.of(
                "type",
                "context",
                "elements",
                List.of(markdown(escaped(text) + (console == null ? "" : " · <" + escaped(console) + "|Console>"))));
    }

    private static Map<String, String> markdown(String text) {
        return Map.of("type", "mrkdwn", "text", text);
    }

    /** These three are Slack's markup: {@code <!channel>} in a foreign message would call everybody. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
