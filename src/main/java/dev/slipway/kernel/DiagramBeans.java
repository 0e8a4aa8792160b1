package dev.slipway.kernel;

import java.util.Set;

/** The beans that diagrams may name besides phases. */
public final class DiagramBeans {

    static final String COLLECT_DIAGNOSIS = "collectDiagnosis";
    static final String RECORD_DECISION = "recordDecision";
    static final String RECORD_FAILURE = "recordFailure";

    /** The steps of the operator's path and of the failure path. */
    public static final Set<String> SUPPORT = Set.of(COLLECT_DIAGNOSIS, RECORD_DECISION, RECORD_FAILURE);

    private DiagramBeans() {}
}
