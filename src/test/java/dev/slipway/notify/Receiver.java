package dev.slipway.notify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.slipway.kubernetes.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A real HTTP or HTTPS server that webhooks are sent to: keeps what it got, answers as a test says. */
final class Receiver implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        // Without, each answer on a kept connection takes 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final boolean secure;
    private HttpServer server;
    private volatile Function<Request, Answer> answers = request -> Answer.of(200);

    private Receiver(HttpServer server, boolean secure) {
        this.server = server;
        this.secure = secure;
    }

    /** What it got. */
    record Request(String method, String path, Map<String, List<String>> headers, String body) {

        String header(String name) {
            List<String> values = headers.get(name);
            return values == null ? null : String.join(", ", values);
        }

        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException(body, e);
            }
        }

        String event() {
            return json().get("event").asText();
        }

        String escalation() {
            return json().get("escalation").asText();
        }
    }

    /** What it says. */
    record Answer(int status, Map<String, String> headers, String body) {

        static Answer of(int status) {
            return new Answer(status, Map.of(), "");
        }

        Answer with(String header, String value) {
            return new Answer(status, Map.of(header, value), body);
        }

        Answer saying(String text) {
            return new Answer(status, headers, text);
        }
    }

    static Receiver start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Receiver receiver = new Receiver(server, false);
        receiver.serve(server);
        return receiver;
    }

    static Receiver startWith(TestTls.Identity identity) throws Exception {
        Receiver[] self = new Receiver[1];
        self[0] = new Receiver(TestTls.https(identity, null, exchange -> self[0].handle(exchange)), true);
        return self[0];
    }

    private void serve(HttpServer fresh) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "receiver");
            thread.setDaemon(true);
            return thread;
        });
        fresh.setExecutor(threads);
        fresh.createContext("/", this::handle);
        fresh.start();
        server = fresh;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Request request = new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Map.copyOf(exchange.getRequestHeaders()),
                body);
        requests.add(request);
        Answer answer = answers.apply(request);
        answer.headers().forEach(exchange.getResponseHeaders()::add);
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    void answer(Function<Request, Answer> how) {
        answers = how;
    }

    void answer(int status) {
        answers = request -> Answer.of(status);
    }

    String url(String path) {
        return (secure ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort() + path;
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    /** What it got, each as event and escalation; for messages in Slipway's own format. */
    List<String> heard() {
        return requests.stream()
                .map(request -> request.event() + " " + request.escalation())
                .toList();
    }

    /** Is gone: connections are refused. */
    void goDown() {
        server.stop(0);
    }

    /** Is back, at the same address. */
    void comeBack() throws IOException {
        serve(HttpServer.create(server.getAddress(), 0));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
