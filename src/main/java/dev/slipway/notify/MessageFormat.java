package dev.slipway.notify;

import dev.slipway.kernel.Escalation;

/** Words an escalation's opening or closing in a receiver's own JSON. */
@FunctionalInterface
interface MessageFormat {

    /**
     * The body of the POST: the same for the same arguments.
     *
     * @param key the idempotency key
     * @param event which of the two it is about
     * @param escalation as it was opened; when it is about the closing, with its end
     */
    Object body(String key, Notification.Event event, Escalation escalation);

    /** The format that the settings ask for. */
    static MessageFormat of(WebhookSettings settings) {
        Links links = new Links(settings.publicUrl());
        return switch (settings.format()) {
            case ALERTMANAGER -> new AlertmanagerFormat(links);
            case SLACK -> new SlackFormat(links);
            case SLIPWAY -> new SlipwayFormat(links);
        };
    }
}
