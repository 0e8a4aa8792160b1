package dev.slipway.kubernetes;

import org.jspecify.annotations.Nullable;

/** Slipway was not told how to reach the management cluster, or the way does not work. */
final class NoKubernetesAccessException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoKubernetesAccessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
