package dev.slipway.diagnosis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether something could be read, and if so, whether it is there.
 *
 * @param known whether it could be read
 * @param object what is there; null if nothing is, or it could not be read
 */
record Sight<T>(boolean known, @Nullable T object) {

    static <T> Sight<T> unknown() {
        return new Sight<>(false, null);
    }

    static <T> Sight<T> of(Optional<T> read) {
        return new Sight<>(true, read.orElse(null));
    }

    /** Whether it was looked for and is not there. */
    boolean absent() {
        return known && object == null;
    }

    Optional<T> present() {
        return Optional.ofNullable(object);
    }
}
