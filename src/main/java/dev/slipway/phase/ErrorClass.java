package dev.slipway.phase;

/** What kind of failure it was, and so what happens next. */
public enum ErrorClass {
    /** Refused, timed out, 5xx: tried again, exponentially from 2 s to 60 s. */
    TRANSIENT(0),
    /**
     * 409, 410, 429, an interrupted call: others were quicker, or the server is busy. Tried again as TRANSIENT is, but
     * never shown as the cause while a better one is known.
     */
    CONTENTION(0),
    /** 401, 403, a rejected client certificate: three tries, then no further calls until an operator acts. */
    AUTH(3),
    /** Unknown CA, expired certificate, wrong SAN: escalated at once, re-checked slowly. */
    TRUST(1),
    /** An admission webhook denied or could not be reached: three tries, then escalated with its name. */
    ADMISSION(3),
    /** 400, 422, a name rule, an immutable field: escalated at once with the field. */
    INVALID(1),
    /** A UID changed, an id or a name is taken, the server renamed the object: escalated at once. */
    IDENTITY(1),
    /** Going on could destroy something: escalated at once, never repaired automatically. */
    UNSAFE(1),
    /** An unexpected exception: a few tries, then an incident and the operator's task. */
    BUG(3);

    private final int tries;

    ErrorClass(int tries) {
        this.tries = tries;
    }

    /** How many failures of this class in a row escalate; 0 means never by count (the stuck timer does). */
    public int triesBeforeBlocked() {
        return tries;
    }

    /** Whether a blocked phase of this class is looked at again without an operator: not for AUTH, accounts get locked. */
    public boolean recheckedWhenBlocked() {
        return this != AUTH;
    }
}
