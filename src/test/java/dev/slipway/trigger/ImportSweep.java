package dev.slipway.trigger;

/** Lets the import trigger look at everything now, instead of within five minutes. */
public final class ImportSweep {

    private ImportSweep() {}

    /** Asks for it; does not wait. */
    public static void now(ImportTrigger trigger) {
        trigger.start();
    }
}
