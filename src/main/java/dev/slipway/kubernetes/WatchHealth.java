package dev.slipway.kubernetes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How one watch does.
 *
 * @param kind the watched kind, {@code Kind.group}
 * @param namespace the watched namespace; empty for all
 * @param state what it does now
 * @param objects how many objects it knows
 * @param lastList when it last listed all
 * @param lastEvent when the last change came
 * @param lastBookmark when the server last said that nothing changed
 * @param breaks how often it broke
 * @param lastFailure the code of the last failure, or empty
 */
public record WatchHealth(
        String kind,
        String namespace,
        State state,
        int objects,
        @Nullable Instant lastList,
        @Nullable Instant lastEvent,
        @Nullable Instant lastBookmark,
        long breaks,
        String lastFailure) {

    static WatchHealth starting(String kind, String namespace) {
        return new WatchHealth(kind, namespace, State.STARTING, 0, null, null, null, 0, "");
    }

    WatchHealth now(State next) {
        return new WatchHealth(kind, namespace, next, objects, lastList, lastEvent, lastBookmark, breaks, lastFailure);
    }

    WatchHealth knows(int count) {
        return new WatchHealth(kind, namespace, state, count, lastList, lastEvent, lastBookmark, breaks, lastFailure);
    }

    WatchHealth listed(Instant at) {
        return new WatchHealth(kind, namespace, state, objects, at, lastEvent, lastBookmark, breaks, lastFailure);
    }

    WatchHealth event(Instant at) {
        return new WatchHealth(kind, namespace, state, objects, lastList, at, lastBookmark, breaks, lastFailure);
    }

    WatchHealth bookmark(Instant at) {
        return new WatchHealth(kind, namespace, state, objects, lastList, lastEvent, at, breaks, lastFailure);
    }

    WatchHealth broke(String code) {
        return new WatchHealth(
                kind, namespace, State.BROKEN, objects, lastList, lastEvent, lastBookmark, breaks + 1, code);
    }

    /** What a watch does. */
    public enum State {
        /** Lists for the first time. */
        STARTING,
        /** The kind is not served; looked for again at intervals. */
        KIND_ABSENT,
        /** Hears of changes. */
        WATCHING,
        /** Broken; comes back by itself. */
        BROKEN,
        /** Ended. */
        STOPPED
    }
}
