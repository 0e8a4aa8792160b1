package dev.slipway.faults;

/** The kinds of faults, as reports name them. */
public enum FaultKind {
    WATCH_DELAYED("watch events late"),
    WATCH_REORDERED("watch events out of order"),
    WATCH_DROPPED("watches cut"),
    WATCH_SILENT("watches half-open"),
    WATCH_EXPIRED("410 within a watch"),
    GONE("410 Gone"),
    CONFLICT("409 Conflict"),
    OVERLOAD("429 with Retry-After"),
    SERVER_ERROR("5xx of the API server"),
    PROXY_ERROR("5xx of a load balancer"),
    SLOW_HEAD("answers late"),
    SLOW_BODY("answers that dribble"),
    ANSWER_LOST("answers lost after the act"),
    RESET("connections reset before the act"),
    REFUSED("outages (connections refused)"),
    REWRITTEN("answers rewritten"),
    STALE("reads of an older state"),
    OVERTAKEN("calls overtaken by somebody else's"),
    UNAUTHORIZED("401 Unauthorized");

    private final String label;

    FaultKind(String label) {
        this.label = label;
    }

    /** A few words for people. */
    public String label() {
        return label;
    }
}
