package dev.slipway.phase;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not succeed, classified: what, on which object, which field, what to do.
 *
 * <p>The message never holds a secret.
 */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;
    private final String code;
    private final transient List<String> actions;
    private final @Nullable Duration retryAfter;

    /**
     * Makes a classified failure.
     *
     * @param errorClass decides what the kernel does
     * @param code an UpperCamel reason that stands in conditions and tasks, for example {@code ApiUnreachable}
     * @param message one sentence that names the object
     * @param actions what a person can do, in order; may be empty
     * @param retryAfter what the server asked for, or null
     * @param cause the original exception, or null
     */
    public Failure(
            ErrorClass errorClass,
            String code,
            String message,
            List<String> actions,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
        this.code = code;
        this.actions = List.copyOf(actions);
        this.retryAfter = retryAfter;
    }

    /** Makes a failure without a cause, a remedy or a wish of the server. */
    public static Failure of(ErrorClass errorClass, String code, String message) {
        return new Failure(errorClass, code, message, List.of(), null, null);
    }

    public ErrorClass errorClass() {
        return errorClass;
    }

    public String code() {
        return code;
    }

    public String message() {
        return String.valueOf(getMessage());
    }

    public List<String> actions() {
        return actions;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
