package dev.slipway.cluster;

/** Puts what was seen and why into one sentence. */
public final class Observation {

    private Observation() {}

    /** {@code <seen>; <cause>}, or only what was seen if no cause is known. */
    public static String of(String seen, String cause) {
        return cause.isEmpty() ? seen : seen + "; " + cause;
    }
}
