package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.Rest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listens to server-sent events as a browser does, on a thread of its own. */
final class Listening implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final HttpResponse<InputStream> response;
    private volatile boolean ended;

    /** One event; comments have the name "". */
    record Event(String id, String name, String data) {

        JsonNode json() {
            try {
                return JSON.readTree(data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Listening(HttpResponse<InputStream> response) {
        this.response = response;
        if (response.statusCode() == 200) {
            Thread thread = new Thread(this::read, "listening");
            thread.setDaemon(true);
            thread.start();
        }
    }

    static Listening to(Rest rest, String path, String... headers) {
        HttpRequest.Builder request = rest.request(path).GET();
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Listening(
                    HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    int status() {
        return response.statusCode();
    }

    String body() {
        try (InputStream body = response.body()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpResponse<?> response() {
        return response;
    }

    List<Event> events(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    boolean ended() {
        return ended;
    }

    private void read() {
        String id = "";
        String name = "";
        StringBuilder data = new StringBuilder();
        StringBuilder line = new StringBuilder();
        try (InputStream body = response.body()) {
            for (int next = body.read(); next >= 0; next = body.read()) {
                if (next != '\n') {
                    line.append((char) next);
                    continue;
                }
                String text = line.toString();
                line.setLength(0);
                if (text.isEmpty()) {
                    if (!name.isEmpty()) {
                        events.add(new Event(id, name, data.toString()));
                    }
                    name = "";
                    data.setLength(0);
                } else if (text.startsWith("id: ")) {
                    id = text.substring(4);
                } else if (text.startsWith("event: ")) {
                    name = text.substring(7);
                } else if (text.startsWith("data: ")) {
                    data.append(text.substring(6));
                } else if (text.startsWith(":")) {
                    events.add(new Event(id, "", text));
                }
            }
        } catch (IOException e) {
            events.add(new Event("", "broken", String.valueOf(e.getMessage())));
        } finally {
            ended = true;
        }
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
