package dev.slipway.security;

/** Whether whoever began something that lasts, for example a stream of events, may still have it. */
@FunctionalInterface
public interface Standing {

    /** Asks again, and so costs a few queries; false also if nobody can tell. */
    boolean holds();
}
