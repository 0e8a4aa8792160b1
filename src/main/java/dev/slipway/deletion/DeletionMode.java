package dev.slipway.deletion;

import dev.slipway.phase.PhaseContext;
import java.util.Arrays;
import java.util.Optional;

/** How much of a cluster a deletion takes away. */
public enum DeletionMode {
    /** The cluster itself, with its machines. */
    FULL("Full", "Deleted"),
    /** The cluster stays; its records go, and what Slipway made in it. */
    DETACH("Detach", "Detached"),
    /** The cluster stays and is not touched; its records go. */
    FORGET("Forget", "Forgotten");

    private final String text;
    private final String result;

    DeletionMode(String text, String result) {
        this.text = text;
        this.result = result;
    }

    /** As people write it: {@code Full}, {@code Detach}, {@code Forget}. */
    public String text() {
        return text;
    }

    /** What a receipt says of a deletion that was carried out in this mode. */
    public String result() {
        return result;
    }

    /** The mode of that name; empty if there is none. */
    public static Optional<DeletionMode> named(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text.equals(text)).findFirst();
    }

    /** The mode that the first phase decided on. */
    public static DeletionMode of(PhaseContext context) {
        return context.fact(DeletionFacts.EFFECTIVE_MODE)
                .flatMap(DeletionMode::named)
                .orElseThrow(() -> new IllegalStateException("No phase has decided on the mode of the deletion"));
    }
}
