package dev.slipway.receipt;

/** What became of an object of a cluster that is being deleted. */
public enum Fate {
    /** Slipway deleted it, and has seen that it is gone. */
    DELETED,
    /** It was gone already, or others deleted it. */
    GONE,
    /** A finalizer or an owner's reference of Slipway was taken off it. */
    RELEASED,
    /** It stays on purpose: it belongs to others, or the mode keeps it. */
    KEPT,
    /** Nobody looked: an operator or a setting said to go on without. */
    SKIPPED,
    /** It stays behind and nobody looks after it any more: a person may want to remove it. */
    LEFT
}
