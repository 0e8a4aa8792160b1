package dev.slipway.notify;

import java.time.Duration;

/** What became of one attempt at delivering. */
sealed interface Delivery {

    /** The receiver has it: it answered 2xx. */
    record Accepted() implements Delivery {}

    /**
     * The receiver will not have it, and presumably not later either: any answer that is none of the others.
     *
     * @param why a sentence without secrets
     */
    record Refused(String why) implements Delivery {}

    /**
     * The receiver was not reached, or is not able at the moment: no answer, 408, 429, 5xx.
     *
     * @param why a sentence without secrets
     * @param after how long the receiver asked to be left alone; zero if it did not
     */
    record Unavailable(String why, Duration after) implements Delivery {}
}
