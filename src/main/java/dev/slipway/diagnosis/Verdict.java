package dev.slipway.diagnosis;

import java.util.Collection;

/** How something that was looked at stands; later ones weigh more. */
public enum Verdict {
    /** As it should be. */
    OK,
    /** Not as it should be, or not yet; it may come right by itself. */
    WARNING,
    /** Could not be read; the sentence says why. */
    UNKNOWN,
    /** Wrong. */
    PROBLEM;

    /** The heavier of both. */
    Verdict and(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** The heaviest; OK if there is none. */
    static Verdict worst(Collection<Verdict> verdicts) {
        return verdicts.stream().reduce(OK, Verdict::and);
    }
}
