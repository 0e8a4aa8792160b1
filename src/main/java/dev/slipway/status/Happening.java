package dev.slipway.status;

/**
 * Something worth a Kubernetes Event.
 *
 * @param warning whether its type is Warning, else Normal
 * @param reason UpperCamel; there is one Event per object and reason
 * @param message for people
 */
public record Happening(boolean warning, String reason, String message) {

    /** Something good, or as expected. */
    public static Happening normal(String reason, String message) {
        return new Happening(false, reason, message);
    }

    /** Something that a person should know. */
    public static Happening warning(String reason, String message) {
        return new Happening(true, reason, message);
    }
}
