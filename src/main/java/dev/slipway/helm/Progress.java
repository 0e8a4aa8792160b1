package dev.slipway.helm;

/** How far something is that may take longer than one look. */
public sealed interface Progress {

    /** It is as wanted. */
    record Done() implements Progress {}

    /**
     * It goes on, or waits for something: look again.
     *
     * @param reason an UpperCamel reason
     * @param message one sentence
     */
    record Underway(String reason, String message) implements Progress {}
}
