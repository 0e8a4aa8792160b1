package dev.slipway.phase;

/**
 * What an operator tells a phase to do: recorded by the kernel, carried out by the phase itself in its next runs.
 *
 * <p>A directive holds until the flow ends or another one of the same kind replaces it; a phase that has carried one out
 * finds so by looking, as with everything else.
 */
public enum Directive {
    /** Use the kubeconfig of another secret; its argument is the secret's name, in the cluster's namespace. */
    SUPPLY_CREDENTIALS,
    /** Trust the certificate with that SHA-256 fingerprint; its argument is the fingerprint. */
    ACCEPT_CA,
    /** Register the cluster that answers now under the name; its argument is the new identity. */
    REPLACE_IDENTITY,
    /** Remove the mark of a registration that nobody knows any more; without an argument. */
    TAKE_OVER_MARK,
    /** Begin the import anew, with nothing but the proven credential; without an argument. */
    RESET_IMPORT,
    /** Delete these credentials; its argument are their names, separated by commas. */
    COLLECT_ORPHANS,
    /** Keep that credential; its argument is its name. */
    KEEP,
    /** Delete nothing on the workload cluster any more; without an argument. */
    SKIP_REMOTE,
    /** Remove finalizers and records though the phase's goal is not reached; its argument is the typed name. */
    FORCE,
    /** Take the pause off the cluster; without an argument. */
    UNPAUSE;

    /** The fact under which a flow carries it. */
    public String fact() {
        return "directive." + name();
    }

    /** The fact with who decided it. */
    public String byFact() {
        return fact() + ".by";
    }

    /** The fact with the phase about which it was decided, for example {@code EnsureGone}. */
    public String phaseFact() {
        return fact() + ".phase";
    }

    /** The fact with the {@link ErrorClass} that the phase had last when it was decided; empty if it had none. */
    public String classFact() {
        return fact() + ".class";
    }

    /** The fact with the reason or code that the phase had when it was decided, for example {@code NoProgress}. */
    public String reasonFact() {
        return fact() + ".reason";
    }

    /** The fact with the time since which the phase had been entered when it was decided, ISO 8601. */
    public String sinceFact() {
        return fact() + ".since";
    }
}
