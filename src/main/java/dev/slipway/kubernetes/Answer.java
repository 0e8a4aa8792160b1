package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import okhttp3.Headers;

/**
 * What the API server answered.
 *
 * @param code the HTTP status
 * @param headers the HTTP headers
 * @param body the body as text
 */
record Answer(int code, Headers headers, String body) {

    boolean ok() {
        return code >= 200 && code < 300;
    }

    /** The body if it is a JSON object. */
    Optional<ObjectNode> object() {
        return Json.parse(body) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    }

    /** The body's {@code Status} object; a missing node if there is none. */
    JsonNode status() {
        JsonNode json = Json.parse(body);
        // Some API servers wrap their errors.
        return json.has("ErrStatus") ? json.path("ErrStatus") : json;
    }

    String reason() {
        return status().path("reason").asText("");
    }

    String message() {
        return status().path("message").asText("");
    }

    JsonNode details() {
        return status().path("details");
    }

    @Override
    public String toString() {
        // Bodies hold secrets.
        return "Answer " + code;
    }
}
