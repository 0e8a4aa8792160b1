package dev.slipway.controlplane;

/** An API server's answer that is not a success. */
public final class ApiError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    ApiError(String request, int status, String body) {
        super("%s answered %d: %s".formatted(request, status, body));
        this.status = status;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
