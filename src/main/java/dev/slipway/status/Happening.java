package dev.slipway.status;

/**
 * Something worth a Kubernetes Event.
 *
 * @param warning whether its type is Warning, else Normal
 * @param reason UpperCamel; there is one Event per object and reason
 * @param message for people
 */
record Happening(boolean warning, String reason, String message) {

    static Happening normal(String reason, String message) {
        return new Happening(false, reason, message);
    }

    static Happening warning(String reason, String message) {
        return new Happening(true, reason, message);
    }
}
