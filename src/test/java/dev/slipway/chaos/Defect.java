package dev.slipway.chaos;

/** What can be wrong with a cluster for good, and what the operator's task must then say. */
enum Defect {
    /** It asks for a ClusterClass that nobody has made. */
    UNKNOWN_CLASS("ClassUnknown"),
    /** Its owner brought an authority that has expired. */
    EXPIRED_AUTHORITY("CaExpired"),
    /** The provider never brings up its control plane. */
    DEAD_CONTROL_PLANE("WaitingForControlPlaneInitialized");

    private final String cause;

    Defect(String cause) {
        this.cause = cause;
    }

    /** The code of the true cause. */
    String cause() {
        return cause;
    }
}
