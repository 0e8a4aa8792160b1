package dev.slipway.kernel;

import dev.slipway.phase.Directive;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an operator may decide about a phase. */
public enum Choice {
    /** Start the phase anew, with fresh timers and counters, so that it can get stuck again. */
    RETRY("Retry: start the phase anew"),
    /** Start an earlier phase anew and go on from there. */
    RETRY_FROM("Retry from an earlier phase"),
    /** Start the phase anew with a later stuck timer. */
    WAIT_MORE("Wait: ask again after a longer time"),
    /** Go on as done; a live check must pass, unless it is overridden with a reason. */
    MARK_DONE("Mark as done: go on if a live check passes"),
    /** Go on without the phase's goal. */
    SKIP("Skip: go on without it"),
    /** Stop looking until somebody resumes the phase. */
    PAUSE("Pause: stop looking until somebody resumes"),
    /** Start a paused phase anew. */
    RESUME("Resume a paused phase"),
    /** End the flow; nothing that exists is deleted. */
    ABORT("Abort: end the flow, delete nothing"),
    /** Use the kubeconfig of another secret, once it is proven. */
    SUPPLY_CREDENTIALS(
            "Supply credentials: name the secret with the kubeconfig", Directive.SUPPLY_CREDENTIALS, Argument.SECRET),
    /** Trust a certificate that the server presents, by its fingerprint. */
    ACCEPT_CA("Accept the certificate with the SHA-256 fingerprint", Directive.ACCEPT_CA, Argument.FINGERPRINT),
    /** Register the cluster that answers now under the name. */
    REPLACE_IDENTITY("Replace the identity: name the new one", Directive.REPLACE_IDENTITY, Argument.IDENTITY),
    /** Remove the mark of a registration that nobody knows any more. */
    TAKE_OVER_MARK("Take over the mark of a registration that is gone", Directive.TAKE_OVER_MARK, Argument.NONE),
    /** Begin the import anew; no machine is touched. */
    RESET_IMPORT("Reset the import: begin anew, touch no machine", Directive.RESET_IMPORT, Argument.NONE),
    /** Delete credentials that nobody uses. */
    COLLECT_ORPHANS("Collect orphans: name the credentials to delete", Directive.COLLECT_ORPHANS, Argument.CREDENTIALS),
    /** Keep one of several credentials. */
    KEEP("Keep: name the one credential", Directive.KEEP, Argument.CREDENTIAL),
    /** Go on as if the workload cluster were gone for ever: nothing is deleted there. */
    SKIP_REMOTE("Skip the workload cluster: what is ours there stays behind", Directive.SKIP_REMOTE, Argument.NONE),
    /** Remove finalizers and records against what the phase says; machines are not touched. */
    FORCE("Force: remove finalizers and records, type the name", Directive.FORCE, Argument.NAME),
    /** Take the pause off the cluster, so that it can be deleted. */
    UNPAUSE("Unpause the cluster and go on", Directive.UNPAUSE, Argument.NONE);

    /** The property of a phase in a diagram that lists the choices beyond those that every phase allows. */
    public static final String DIAGRAM_PROPERTY = "slipway:choices";

    private static final int LONGEST_ARGUMENT = 2000;

    private final String label;
    private final @Nullable Directive directive;
    private final Argument argument;

    Choice(String label) {
        this(label, null, Argument.NONE);
    }

    Choice(String label, @Nullable Directive directive, Argument argument) {
        this.label = label;
        this.directive = directive;
        this.argument = argument;
    }

    /** What a choice is about, beyond the phase. */
    private enum Argument {
        NONE("", ""),
        SECRET("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", "the name of a Secret in the cluster's namespace"),
        FINGERPRINT("([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}", "a SHA-256 fingerprint: 32 pairs of hexadecimal digits"),
        IDENTITY("[A-Za-z0-9]([-A-Za-z0-9._/]{0,126}[A-Za-z0-9])?", "the identity that the phase shows"),
        NAME("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", "the name of what is being deleted, typed out"),
        CREDENTIAL("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", "the name of a ClusterCredential"),
        CREDENTIALS(
                "[a-z0-9][-a-z0-9.]{0,252}(,[a-z0-9][-a-z0-9.]{0,252})*",
                "the names of ClusterCredentials, separated by commas");

        private final Pattern pattern;
        private final String meaning;

        Argument(String pattern, String meaning) {
            this.pattern = Pattern.compile(pattern);
            this.meaning = meaning;
        }
    }

    /**
     * The choice of that name.
     *
     * @param field where the name stands, for the message
     * @throws Decisions.Invalid if there is none, or no name
     */
    public static Choice named(@Nullable String name, String field) {
        return Arrays.stream(values())
                .filter(choice -> choice.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Decisions.Invalid(
                        field,
                        name == null ? "The field " + field + " is missing" : "There is no choice " + name,
                        "Use one of " + Arrays.toString(values())));
    }

    /** What people read. */
    public String label() {
        return label;
    }

    /** Whether a phase allows it only if its diagram says so, in {@link #DIAGRAM_PROPERTY}. */
    public boolean onlyWhereDrawn() {
        return this == MARK_DONE || this == SKIP || directive != null;
    }

    /** What the phase itself must do; empty if the kernel alone carries the choice out. */
    Optional<Directive> directive() {
        return Optional.ofNullable(directive);
    }

    /** Whether the flow begins anew with its first phase. */
    boolean beginsAnew() {
        return this == RESET_IMPORT;
    }

    /** What the argument must be, for people; empty if the choice has none. */
    public Optional<String> argument() {
        return argument == Argument.NONE ? Optional.empty() : Optional.of(argument.meaning);
    }

    /**
     * Checks the argument.
     *
     * @return as phases read it; null if the choice has none
     * @throws Decisions.Invalid if it is missing, wrong, or superfluous
     */
    @Nullable
    String checked(@Nullable String text) {
        String given = text == null ? "" : text.replaceAll("\\s", "");
        if (argument == Argument.NONE) {
            if (!given.isEmpty()) {
                throw new Decisions.Invalid("argument", name() + " takes no argument", "Leave it out");
            }
            return null;
        }
        if (given.length() > LONGEST_ARGUMENT
                || !argument.pattern.matcher(given).matches()) {
            String what = given.isEmpty() ? " needs an argument" : " cannot use that argument";
            throw new Decisions.Invalid("argument", name() + what, "Give " + argument.meaning);
        }
        return argument == Argument.FINGERPRINT
                ? given.replace(":", "").toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:")
                : given;
    }

    /** Whether the argument must be the name of the flow's object: a mistake could not be taken back. */
    boolean needsTheName() {
        return argument == Argument.NAME;
    }

    /** Whether the phase itself must be looked at, live, before it may be applied. */
    boolean needsLook() {
        return this == MARK_DONE || this == SKIP;
    }

    /** Whether a reason must be given: these go on against what the phase says, or cannot be taken back. */
    boolean needsReason() {
        return switch (this) {
            case SKIP, ABORT, ACCEPT_CA, REPLACE_IDENTITY, TAKE_OVER_MARK, RESET_IMPORT, SKIP_REMOTE, FORCE -> true;
            default -> false;
        };
    }
}
