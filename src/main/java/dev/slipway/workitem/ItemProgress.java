package dev.slipway.workitem;

/** How far work items are: what their flows say, never what stands in a status. */
public interface ItemProgress {

    /** How far that work item is, in the generation that was just read. */
    Progress of(WorkItem item);

    /**
     * How far one is.
     *
     * @param stage in one word
     * @param message what its flow waits for, for people
     */
    record Progress(Stage stage, String message) {

        public boolean installed() {
            return stage == Stage.INSTALLED;
        }
    }

    /** The stages. */
    enum Stage {
        /** Its flow has not begun, or has not seen this generation. */
        PENDING,
        /** Its flow runs. */
        INSTALLING,
        /** Its flow runs, and asks a person. */
        STUCK,
        /** A dry run ended. */
        PLANNED,
        /** Its flow ended early. */
        FAILED,
        /** It is being removed. */
        DELETING,
        /** Its flow ended with everything proven. */
        INSTALLED
    }
}
