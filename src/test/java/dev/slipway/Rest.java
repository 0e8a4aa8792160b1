package dev.slipway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Talks HTTP to the running application, as a program or a browser would. */
public final class Rest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;
    private final String authorization;

    public Rest(int port, String user, String password) {
        this(
                port,
                "Basic "
                        + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    private Rest(int port, String authorization) {
        this.port = port;
        this.authorization = authorization;
    }

    /** Talks as nobody. */
    public static Rest anonymous(int port) {
        return new Rest(port, "");
    }

    /** Talks as whoever has that token of the management cluster. */
    public static Rest withToken(int port, String token) {
        return new Rest(port, "Bearer " + token);
    }

    /** An answer, its body parsed if it is JSON. */
    public record Answer(int status, HttpResponse<String> response) {

        public JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (IOException e) {
                throw new UncheckedIOException("Not JSON: " + response.body(), e);
            }
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    /** The same for another user. */
    public Rest as(String otherUser, String otherPassword) {
        return new Rest(port, otherUser, otherPassword);
    }

    /** Asks. */
    public Answer get(String path) {
        return send(request(path).GET());
    }

    /** Sends JSON. */
    public Answer post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Sends JSON to take the place of what is there. */
    public Answer put(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Sends nothing, with further headers: name, value, ... */
    public Answer postNothing(String path, String... headers) {
        HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.noBody());
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** Asks without credentials. */
    public Answer getAnonymously(String path) {
        return send(anonymous(path).GET());
    }

    /** Starts a request with the credentials. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = anonymous(path);
        return authorization.isEmpty() ? request : request.header("Authorization", authorization);
    }

    /** Sends a request. */
    public Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder anonymous(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }
}
