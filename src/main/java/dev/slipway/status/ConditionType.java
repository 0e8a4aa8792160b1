package dev.slipway.status;

import java.util.List;

/** The conditions of a WorkloadCluster, and the phases that decide them. */
public enum ConditionType {
    /** The cluster can be used: the init flow ended with every phase proven. */
    READY("Ready"),
    /** CAs, service account key and kubeconfig are there and valid. */
    CERTIFICATES_READY("CertificatesReady", "EnsureCertificates", "EnsureKubeconfig"),
    /** The endpoint answers, and all control plane replicas are ready. */
    CONTROL_PLANE_READY(
            "ControlPlaneReady", "EnsureEndpoint", "EnsureControlPlaneInitialized", "EnsureControlPlaneReady"),
    /** The work items of the spec that block are installed. */
    ADDONS_READY("AddonsReady", "EnsureWorkItems"),
    /** Workers joined, and nodes are Ready. */
    NODES_READY("NodesReady", "EnsureWorkersJoined", "EnsureHealthy"),
    /** The platform knows the cluster: the import flow ended with every invariant proven. Present once there was one. */
    IMPORTED("Imported"),
    /** What a work item wants is on its cluster, and ready. Only of work items. */
    INSTALLED("Installed"),
    /** A phase is blocked or takes longer than its stuck timer allows: an operator's task is open. */
    STUCK("Stuck"),
    /** A phase cannot go on unless a person, or another fix outside, does something: the actions are numbered. */
    MANUAL_INTERVENTION_REQUIRED("ManualInterventionRequired"),
    /** A dry run ended; the message is the plan. Present only then. */
    PLANNED("Planned"),
    /** Deletion was requested, or runs; the message says what it waits for. Present only then. */
    DELETING("Deleting");

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, its type cannot say so
    private final List<String> phases;

    ConditionType(String text, String... phases) {
        this.text = text;
        this.phases = List.of(phases);
    }

    /** What stands in {@code conditions[].type}. */
    public String text() {
        return text;
    }

    /** The phases that must all be done; empty if it is decided otherwise. */
    List<String> phases() {
        return phases;
    }
}
