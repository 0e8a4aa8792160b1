package dev.slipway.storage;

/** A table whose rows are kept for a time only. */
public interface Expiring {

    /**
     * Removes rows that are older than they may be; not all of them at once if they are many.
     *
     * @return whether there may be more
     */
    boolean removeOld();
}
