package dev.slipway.pki;

/** PEM text that cannot be used, with the code of what is wrong. */
final class PemException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;

    PemException(ProblemCode code, String message) {
        super(message);
        this.code = code;
    }

    ProblemCode code() {
        return code;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
