package dev.slipway.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/**
 * A request that cannot be done: what, on which object, which field, what to do (RFC 9457).
 *
 * <p>The texts never hold a secret.
 */
final class ApiProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final transient Map<String, Object> properties = new LinkedHashMap<>();

    /**
     * Makes a problem.
     *
     * @param status the HTTP status
     * @param code UpperCamel, stable, for programs
     * @param detail one sentence for people
     */
    ApiProblem(HttpStatus status, String code, String detail) {
        super(detail);
        this.status = status;
        this.code = code;
    }

    /** Names the object, for example {@code demo/c1}. */
    ApiProblem object(@Nullable String object) {
        return with("object", object);
    }

    /** Names the field of the request, for example {@code flow}. */
    ApiProblem field(@Nullable String field) {
        return with("field", field);
    }

    /** Says what to do. */
    ApiProblem remedy(@Nullable String remedy) {
        return with("remedy", remedy);
    }

    /** Adds a property. */
    ApiProblem with(String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value);
        }
        return this;
    }

    HttpStatus status() {
        return status;
    }

    String code() {
        return code;
    }

    /** The body of the answer. */
    ProblemDetail body() {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, String.valueOf(getMessage()));
        describe(body, code);
        properties.forEach(body::setProperty);
        return body;
    }

    /** Gives a problem its code, and the type that belongs to the code. */
    static void describe(ProblemDetail body, String code) {
        String kebab = code.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        body.setType(URI.create("/problems/" + kebab));
        body.setProperty("code", code);
    }
}
