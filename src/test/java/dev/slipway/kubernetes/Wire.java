package dev.slipway.kubernetes;

import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/** Stands between a client and its API server: watches requests, lets things happen before them, loses answers. */
public final class Wire implements Interceptor {

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Interference interference = (request, chain) -> chain.proceed(request);

    /** Does what it wants with a request. */
    public interface Interference {
        Response pass(Request request, Chain chain) throws IOException;
    }

    public static Wire into(ApiClient api) {
        Wire wire = new Wire();
        api.setHttpClient(api.getHttpClient().newBuilder().addInterceptor(wire).build());
        return wire;
    }

    /** Method and path with query of all requests so far. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Lets that decide about each request from now on. */
    public void interfere(Interference with) {
        interference = with;
    }

    /** Runs the action before each request of that method. */
    public void before(String method, Runnable action) {
        interference = (request, chain) -> {
            if (request.method().equals(method)) {
                action.run();
            }
            return chain.proceed(request);
        };
    }

    /** Lets the server act on the next request of that method, and loses its answer. */
    public void loseNextAnswerOf(String method) {
        interference = (request, chain) -> {
            Response response = chain.proceed(request);
            if (request.method().equals(method)) {
                interference = (next, c) -> c.proceed(next);
                response.close();
                throw new IOException("connection reset by test");
            }
            return response;
        };
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        String query = request.url().encodedQuery();
        requests.add(request.method() + " " + request.url().encodedPath() + (query == null ? "" : "?" + query));
        return Objects.requireNonNull(interference.pass(request, chain));
    }
}
