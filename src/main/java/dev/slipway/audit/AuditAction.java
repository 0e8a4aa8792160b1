package dev.slipway.audit;

/** What somebody did. */
public enum AuditAction {
    /** Started a flow. */
    START,
    /** Ended a flow early: an operator's abort, or somebody who deleted its process instance. */
    END,
    /** Decided about a phase. */
    DECIDE,
    /** Created an object. */
    CREATE,
    /** Asked for the deletion of an object. */
    DELETE,
    /** Replaced credentials of a cluster. */
    CREDENTIALS,
    /** Changed something by an annotation. */
    ANNOTATE,
    /** Signed in, or tried to. */
    SIGN_IN,
    /** Signed out. */
    SIGN_OUT,
    /** Asked for what that user may not do. */
    REFUSAL
}
