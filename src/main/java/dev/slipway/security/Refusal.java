package dev.slipway.security;

import dev.slipway.phase.Failure;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;

/** Why somebody may not do what they asked for, and what to do about it. */
final class Refusal extends AccessDeniedException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final String remedy;

    private Refusal(HttpStatus status, String code, String detail, String remedy) {
        super(detail);
        this.status = status;
        this.code = code;
        this.remedy = remedy;
    }

    static Refusal notAllowed(String detail, String remedy) {
        return new Refusal(HttpStatus.FORBIDDEN, "NotAllowed", detail, remedy);
    }

    static Refusal noRole(String user) {
        return new Refusal(
                HttpStatus.FORBIDDEN,
                "NoRole",
                "The user " + user + " has no role in Slipway",
                "Ask an administrator for one of the groups viewers, operators, designers or camunda-admin");
    }

    /** Nobody is let in because the one who knows does not answer. */
    static Refusal unanswered(Failure failure) {
        return new Refusal(
                HttpStatus.SERVICE_UNAVAILABLE,
                failure.code(),
                "The management cluster does not say who may: " + failure.message(),
                failure.actions().isEmpty()
                        ? "Try again; check the management cluster, and Slipway's access to it"
                        : String.join(" ", failure.actions()));
    }

    HttpStatus status() {
        return status;
    }

    String code() {
        return code;
    }

    String detail() {
        return String.valueOf(getMessage());
    }

    String remedy() {
        return remedy;
    }
}
