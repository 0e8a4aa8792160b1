package dev.slipway.engine.lint;

/**
 * One thing that is wrong with a diagram.
 *
 * @param elementId the element, or the process or file if no element can be named
 * @param rule the rule's id, for example {@code requeue-timer}; {@link LintRule} explains each
 * @param message what is wrong
 * @param remedy what to do about it
 */
public record Finding(String elementId, String rule, String message, String remedy) {

    /** The finding as one line for people. */
    public String text() {
        return elementId + ": " + message + " " + remedy + " [" + rule + "]";
    }
}
