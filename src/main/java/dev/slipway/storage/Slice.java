package dev.slipway.storage;

/**
 * Which part of a list is wanted.
 *
 * @param offset how many to leave out, from the beginning
 * @param limit how many at most
 */
public record Slice(int offset, int limit) {

    /** The first ones. */
    public static Slice first(int limit) {
        return new Slice(0, limit);
    }
}
