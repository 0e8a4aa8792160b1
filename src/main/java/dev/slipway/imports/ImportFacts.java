package dev.slipway.imports;

/** The facts that phases of the import record for later ones: names and ids, never secrets. */
public final class ImportFacts {

    /** The name of the cluster's one credential. */
    public static final String CREDENTIAL = "credential";

    /** The decision to begin anew that was carried out last. */
    public static final String RESET_DONE = "resetDone";

    private ImportFacts() {}
}
