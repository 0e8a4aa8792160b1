package dev.slipway.audit;

import org.jspecify.annotations.Nullable;

/**
 * What is noted about one deed. Never a secret.
 *
 * @param action what was done
 * @param by who did it: a user, or {@code slipway}
 * @param what more closely: a flow's kind, a choice, the name of a provider; null if there is nothing to say
 * @param subject what it was about; null for sign-ins
 * @param reason why, in the words of who did it
 * @param result what became of it, for example {@link #OK}
 * @param message what else is to be said about the result
 */
public record AuditEntry(
        AuditAction action,
        String by,
        @Nullable String what,
        @Nullable Subject subject,
        @Nullable String reason,
        String result,
        @Nullable String message) {

    /** It was done. */
    public static final String OK = "OK";

    /** It was recorded, and is done by whoever comes to it. */
    public static final String RECORDED = "RECORDED";

    /** It was not done: a rule or a check said no. */
    public static final String REFUSED = "REFUSED";

    /** It was not done: it came too late. */
    public static final String OVERTAKEN = "OVERTAKEN";

    /**
     * What a deed was about.
     *
     * @param kind of the object, for example {@code WorkloadCluster}
     * @param namespace its namespace
     * @param name its name
     * @param flow the flow's id; null if it was about none
     * @param phase the phase's name; null if it was about none
     */
    public record Subject(String kind, String namespace, String name, @Nullable String flow, @Nullable String phase) {

        /** An object. */
        public static Subject of(String kind, String namespace, String name) {
            return new Subject(kind, namespace, name, null, null);
        }

        /** One of its flows. */
        public Subject flow(String flowId) {
            return new Subject(kind, namespace, name, flowId, phase);
        }

        /** One of its phases. */
        public Subject phase(@Nullable String phaseName) {
            return new Subject(kind, namespace, name, flow, phaseName);
        }
    }

    /** Something that was done. */
    public static AuditEntry of(AuditAction action, String by, @Nullable String what) {
        return new AuditEntry(action, by, what, null, null, OK, null);
    }

    /** The same, with what it was about. */
    public AuditEntry about(Subject newSubject) {
        return new AuditEntry(action, by, what, newSubject, reason, result, message);
    }

    /** The same, with why it was done. */
    public AuditEntry because(@Nullable String newReason) {
        return new AuditEntry(action, by, what, subject, newReason, result, message);
    }

    /** The same, with what became of it. */
    public AuditEntry ended(String newResult, @Nullable String newMessage) {
        return new AuditEntry(action, by, what, subject, reason, newResult, newMessage);
    }
}
