package dev.slipway.security;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.Rest.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** A browser as far as sign-in is concerned: it keeps cookies, and follows no redirect by itself. */
final class Browser {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private final int port;
    private String token = "";

    Browser(int port) {
        this.port = port;
    }

    /** Signs in with the console's form. */
    Answer signIn(String name, String password) {
        Answer answer = post("/api/v1/session", JSON.valueToTree(Map.of("name", name, "password", password)));
        remember(answer);
        return answer;
    }

    /** Asks who is signed in, and keeps the token for changes. */
    Answer session() {
        Answer answer = get("/api/v1/session");
        remember(answer);
        return answer;
    }

    Answer get(String path, String... headers) {
        return send(request(path).GET(), headers);
    }

    /** Opens a page, as by typing its address. */
    Answer open(String path) {
        return get(path, "Accept", "text/html,application/xhtml+xml", "Sec-Fetch-Mode", "navigate");
    }

    Answer post(String path, JsonNode body) {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString())),
                "X-CSRF-Token",
                token);
    }

    Answer delete(String path) {
        return send(request(path).DELETE(), "X-CSRF-Token", token);
    }

    Answer send(HttpRequest.Builder request, String... headers) {
        for (int i = 0; i < headers.length; i += 2) {
            if (!headers[i + 1].isEmpty()) {
                request.header(headers[i], headers[i + 1]);
            }
        }
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

    HttpRequest.Builder request(String pathOrUrl) {
        URI uri = URI.create(pathOrUrl.startsWith("/") ? "http://127.0.0.1:" + port + pathOrUrl : pathOrUrl);
        return HttpRequest.newBuilder(uri);
    }

    /** The value of the session's cookie; empty if there is none. */
    String cookie() {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals("slipway-session"))
                .map(cookie -> cookie.getValue())
                .findFirst()
                .orElse("");
    }

    /** Forgets the token for changes. */
    Browser withToken(String other) {
        token = other;
        return this;
    }

    private void remember(Answer answer) {
        if (answer.status() == 200) {
            token = answer.json().path("csrf").path("token").asText("");
        }
    }
}
