package dev.slipway.status;

/**
 * What a condition should say; {@link StatusFactory} makes the Kubernetes condition of it.
 *
 * @param type which condition
 * @param holds whether its status is True
 * @param reason UpperCamel, for machines and searches
 * @param message for people
 */
public record Condition(ConditionType type, boolean holds, String reason, String message) {

    private static final int LONGEST_MESSAGE = 4000;

    public Condition {
        reason = token(reason);
        message = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 1) + "…";
    }

    /** A condition with status True. */
    static Condition yes(ConditionType type, String reason, String message) {
        return new Condition(type, true, reason, message);
    }

    /** A condition with status False. */
    static Condition no(ConditionType type, String reason, String message) {
        return new Condition(type, false, reason, message);
    }

    /** A reason must be one word for the API server, wherever it came from. */
    private static String token(String reason) {
        String word = reason.replaceAll("[^A-Za-z0-9]", "");
        return word.isEmpty() || !Character.isLetter(word.charAt(0)) ? "Reason" + word : word;
    }
}
