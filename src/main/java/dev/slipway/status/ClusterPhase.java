package dev.slipway.status;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a cluster stands, in one word, for people: nothing is decided by it. */
public enum ClusterPhase {
    /** No flow has started yet. */
    PENDING("Pending"),
    /** The init flow runs. */
    INITIALIZING("Initializing"),
    /** The import flow of a Cluster without a WorkloadCluster runs. */
    IMPORTING("Importing"),
    /** The install flow of a work item runs. */
    INSTALLING("Installing"),
    /** The install flow of a work item ended with every phase proven. */
    INSTALLED("Installed"),
    /** The flow waits because {@code spec.paused} or the Cluster API pause is set. */
    PAUSED("Paused"),
    /** A phase of the running flow is blocked, or takes longer than its stuck timer allows. */
    STUCK("Stuck"),
    /** A dry run ended: the plan is in the condition {@code Planned}, nothing was made. */
    PLANNED("Planned"),
    /** The init flow ended with every phase proven. */
    READY("Ready"),
    /** The init flow ended early: an operator aborted it, or it was interrupted. */
    FAILED("Failed"),
    /** The delete flow runs, or the object has a {@code deletionTimestamp}. */
    DELETING("Deleting");

    private final String text;

    ClusterPhase(String text) {
        this.text = text;
    }

    /** What stands in {@code status.phase}. */
    public String text() {
        return text;
    }

    /** Finds a phase by its text, in any case. */
    public static Optional<ClusterPhase> parse(String text) {
        return Arrays.stream(values())
                .filter(phase -> phase.text.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT)))
                .findFirst();
    }
}
