package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.openapi.Pair;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request to an API server.
 *
 * @param method the HTTP method
 * @param path the escaped path
 * @param query query parameters
 * @param body the JSON body, or null
 * @param contentType the body's media type
 * @param accept the media type asked for
 */
record RestRequest(
        String method, String path, List<Pair> query, @Nullable JsonNode body, String contentType, String accept) {

    static final String JSON = "application/json";
    static final String APPLY = "application/apply-patch+yaml";
    static final String MERGE_PATCH = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";

    static RestRequest get(String path) {
        return new RestRequest("GET", path, List.of(), null, JSON, JSON);
    }

    static RestRequest of(String method, String path, String contentType, JsonNode body) {
        return new RestRequest(method, path, List.of(), body, contentType, JSON);
    }

    RestRequest with(String name, String value) {
        List<Pair> more = new ArrayList<>(query);
        more.add(new Pair(name, value));
        return new RestRequest(method, path, more, body, contentType, accept);
    }

    RestRequest accepting(String mediaType) {
        return new RestRequest(method, path, query, body, contentType, mediaType);
    }

    @Override
    public String toString() {
        // Bodies hold secrets.
        return method + " " + path;
    }
}
