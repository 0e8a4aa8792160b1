package dev.slipway.api;

import dev.slipway.security.Standing;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open stream of events.
 *
 * <p>Nobody waits for a slow reader, and no thread belongs to a stream: what cannot be sent yet is kept, up to a limit. Beyond
 * that the reader is told to read everything again; one that does not even take that is cut off.
 */
final class EventStream implements WriteListener, AsyncListener {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);
    private static final int MOST_BYTES = 512 * 1024;

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Interest interest;
    private final Terms terms;
    private final Consumer<EventStream> closed;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean unflushed;
    private boolean overtaken;
    private boolean opened;
    private boolean over;

    /**
     * What somebody wants to hear of.
     *
     * @param user who
     * @param namespace only of this one; null for all
     * @param cluster only of this one, {@code namespace/name}; null for the fleet
     */
    record Interest(String user, @Nullable String namespace, @Nullable String cluster) {

        boolean includes(String clusterNamespace) {
            return namespace == null || namespace.equals(clusterNamespace);
        }
    }

    /**
     * How long it may last.
     *
     * @param ends when it ends at the latest
     * @param standing whether who listens still may
     */
    record Terms(Instant ends, Standing standing) {}

    EventStream(AsyncContext async, Interest interest, Terms terms, Consumer<EventStream> closed) throws IOException {
        this.async = async;
        this.out = async.getResponse().getOutputStream();
        this.interest = interest;
        this.terms = terms;
        this.closed = closed;
    }

    /** Begins to send; what was handed over before is sent first. */
    void open() {
        synchronized (this) {
            if (over) {
                return;
            }
            opened = true;
        }
        async.addListener(this);
        out.setWriteListener(this);
    }

    Interest interest() {
        return interest;
    }

    Terms terms() {
        return terms;
    }

    /** Sends an event, now or when the reader is ready. */
    void send(@Nullable String id, String event, String data) {
        StringBuilder text = new StringBuilder();
        if (id != null) {
            text.append("id: ").append(id).append('\n');
        }
        text.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
        offer(text.toString(), id);
    }

    /** Sends something that is no event, so that a dead connection is noticed. */
    void comment(String text) {
        offer(": " + text + "\n\n", null);
    }

    /** Says how long a reader shall wait before it connects again. */
    void retryAfter(Duration pause) {
        offer("retry: " + pause.toMillis() + "\n\n", null);
    }

    private void offer(String text, @Nullable String id) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean cut = false;
        synchronized (this) {
            if (over) {
                return;
            }
            if (waitingBytes + bytes.length > MOST_BYTES) {
                if (overtaken) {
                    cut = true;
                } else {
                    overtaken = true;
                    bytes = ("event: reset\ndata: {}\n" + (id == null ? "" : "id: " + id + "\n") + "\n")
                            .getBytes(StandardCharsets.UTF_8);
                    waiting.clear();
                    waitingBytes = 0;
                }
            }
            if (!cut) {
                waiting.add(bytes);
                waitingBytes += bytes.length;
            }
        }
        if (cut) {
            log.debug("Cutting off a reader that does not read: {}", interest.user());
            close();
        } else {
            drain();
        }
    }

    /** Sends what the connection takes without waiting. */
    private void drain() {
        try {
            synchronized (this) {
                while (opened && !over && out.isReady()) {
                    byte[] next = waiting.poll();
                    if (next != null) {
                        waitingBytes -= next.length;
                        unflushed = true;
                        out.write(next);
                    } else if (unflushed) {
                        unflushed = false;
                        overtaken = false;
                        out.flush();
                    } else {
                        return;
                    }
                }
            }
        } catch (IOException | IllegalStateException e) {
            log.debug("A stream broke off", e);
            close();
        }
    }

    /** Ends it; the reader may connect again. */
    void close() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            waiting.clear();
        }
        closed.accept(this);
        try {
            async.complete();
        } catch (IllegalStateException e) {
            log.debug("The connection was closed at the same moment", e);
        }
    }

    @Override
    public void onWritePossible() {
        drain();
    }

    @Override
    public void onError(Throwable failure) {
        log.debug("A reader is gone", failure);
        close();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        close();
    }

    @Override
    public void onError(AsyncEvent event) {
        close();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // It is never started anew.
    }
}
