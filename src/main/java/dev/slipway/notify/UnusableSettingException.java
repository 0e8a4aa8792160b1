package dev.slipway.notify;

/** A setting of the webhook cannot be used; the message names it and never its value. */
final class UnusableSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * Names the setting.
     *
     * @param property the last part of its name, for example {@code url}
     */
    UnusableSettingException(String property, String problem, String remedy) {
        super(WebhookProperties.PREFIX + "." + property + " " + problem);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
