package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * HTTP to one API server: its own connections, a deadline for each call, every answer as it is.
 *
 * <p>HTTP/1.1 on purpose: a dead connection then holds up one call, not all that share it.
 */
final class RestClient {

    private static final String[] AUTHENTICATION = {"BearerToken"};

    private final ApiClient api;
    private final OkHttpClient http;
    private final ErrorClassifier errors;

    RestClient(ApiClient api, CallSettings settings, ErrorClassifier errors) {
        this.api = api;
        this.errors = errors;
        this.http = api.getHttpClient()
                .newBuilder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .connectionPool(new ConnectionPool(
                        settings.idleConnections(), settings.keepIdle().toMillis(), TimeUnit.MILLISECONDS))
                .connectTimeout(settings.connect())
                .readTimeout(settings.call())
                .writeTimeout(settings.call())
                .callTimeout(settings.call())
                .followRedirects(false)
                .followSslRedirects(false)
                .build();
    }

    String server() {
        return api.getBasePath();
    }

    ErrorClassifier errors() {
        return errors;
    }

    /**
     * Makes the call.
     *
     * @return whatever the server answered, errors too
     * @throws Failure if there is no answer
     */
    Answer call(Operation operation, RestRequest request) {
        try (Response response = execute(newCall(http, request))) {
            return new Answer(
                    response.code(), response.headers(), response.body().string());
        } catch (IOException e) {
            throw errors.unanswered(operation, URI.create(server()), e);
        }
    }

    /**
     * Executes a call so that nothing but {@link IOException} comes out.
     *
     * <p>OkHttp lets an undeclared InterruptedException through while it connects, and NumberFormatException on an
     * absurd {@code Retry-After}.
     */
    static Response execute(Call call) throws IOException {
        try {
            return call.execute();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IOException(String.valueOf(e), e);
        }
    }

    /** As {@link #call}, where any answer but success is a failure. */
    Answer succeed(Operation operation, RestRequest request) {
        Answer answer = call(operation, request);
        if (!answer.ok()) {
            throw errors.refused(operation, answer);
        }
        return answer;
    }

    /** The JSON object of a successful answer. */
    ObjectNode object(Operation operation, Answer answer) {
        return answer.object()
                .orElseThrow(() -> CallError.ANSWER_UNREADABLE.failure("Could not " + operation.sentence() + ": "
                        + server() + " answered " + answer.code() + " with something that is no Kubernetes object."));
    }

    /** Prepares a call that a client of its own executes: for watches, whose timeouts differ. */
    Call newCall(OkHttpClient client, RestRequest request) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Accept", request.accept());
        headers.put("Content-Type", request.contentType());
        Object body = request.body() == null ? null : Json.bytes(request.body());
        try {
            Call prepared = api.buildCall(
                    server(),
                    request.path(),
                    request.method(),
                    request.query(),
                    List.of(),
                    body,
                    headers,
                    new HashMap<>(),
                    new HashMap<>(),
                    AUTHENTICATION,
                    null);
            return client.newCall(prepared.request());
        } catch (ApiException e) {
            throw new IllegalStateException("Cannot build the request " + request, e);
        }
    }

    OkHttpClient http() {
        return http;
    }

    /** Closes idle connections; calls under way end by themselves. */
    void close() {
        http.connectionPool().evictAll();
    }
}
