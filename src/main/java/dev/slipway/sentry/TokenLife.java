package dev.slipway.sentry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a requested token holds, as its Secret records it.
 *
 * @param issued when it was issued
 * @param expires when the server ceases to accept it
 */
record TokenLife(Instant issued, Instant expires) {

    private static final String ISSUED = "slipway.dev/token-issued";
    private static final String EXPIRES = "slipway.dev/token-expires";
    private static final int RENEWED_AT_FRACTION = 5;

    /** Reads it; empty if the Secret records none. */
    static Optional<TokenLife> of(KubeObject secret) {
        Optional<Instant> issued = time(secret, ISSUED);
        Optional<Instant> expires = time(secret, EXPIRES);
        return issued.flatMap(from -> expires.map(to -> new TokenLife(from, to)));
    }

    /** Whether no more than a fifth of it is left. */
    boolean nearsItsEnd(Instant now) {
        Duration fifth = Duration.between(issued, expires).dividedBy(RENEWED_AT_FRACTION);
        return !now.isBefore(expires.minus(fifth));
    }

    ObjectNode annotations() {
        return JsonNodeFactory.instance
                .objectNode()
                .put(ISSUED, issued.toString())
                .put(EXPIRES, expires.toString());
    }

    private static Optional<Instant> time(KubeObject secret, String annotation) {
        try {
            return Optional.ofNullable(secret.annotations().get(annotation)).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
