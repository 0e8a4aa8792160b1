package dev.slipway.faults;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The body of an answer on its way: pieces may be held back, changed, left out or cut off. One event loop only. */
final class ShapedBody implements ReadStream<Buffer> {

    private final Deque<Buffer> pending = new ArrayDeque<>();
    private long demand = Long.MAX_VALUE;
    private boolean ended;
    private @Nullable Handler<Buffer> pieces;
    private @Nullable Handler<Void> end;
    private @Nullable Handler<Throwable> failed;

    /** Decides what becomes of each piece. */
    interface Shaper {

        void piece(Buffer piece, ShapedBody body);

        /** The server has ended its answer. */
        default void end(ShapedBody body) {
            body.finish();
        }
    }

    private ShapedBody() {}

    /** A body that only its maker fills. */
    static ShapedBody empty() {
        return new ShapedBody();
    }

    static ShapedBody of(ReadStream<Buffer> source, Shaper shaper) {
        ShapedBody body = new ShapedBody();
        // The head of an answer goes out with the first piece of its body: a watch must not wait for its first event.
        body.pending.add(Buffer.buffer());
        source.exceptionHandler(body::fail);
        source.endHandler(end -> shaper.end(body));
        source.handler(piece -> shaper.piece(piece, body));
        return body;
    }

    void emit(Buffer piece) {
        pending.add(piece);
        flush();
    }

    void finish() {
        ended = true;
        flush();
    }

    private void fail(Throwable cause) {
        if (failed != null) {
            failed.handle(cause);
        }
    }

    private void flush() {
        while (demand > 0 && pieces != null && !pending.isEmpty()) {
            demand = demand == Long.MAX_VALUE ? demand : demand - 1;
            pieces.handle(pending.remove());
        }
        Handler<Void> once = end;
        if (ended && pending.isEmpty() && once != null) {
            end = null;
            once.handle(null);
        }
    }

    @Override
    public ReadStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> handler) {
        failed = handler;
        return this;
    }

    @Override
    public ReadStream<Buffer> handler(@Nullable Handler<Buffer> handler) {
        pieces = handler;
        return this;
    }

    @Override
    public ReadStream<Buffer> pause() {
        demand = 0;
        return this;
    }

    @Override
    public ReadStream<Buffer> resume() {
        return fetch(Long.MAX_VALUE);
    }

    @Override
    public ReadStream<Buffer> fetch(long amount) {
        demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
        flush();
        return this;
    }

    @Override
    public ReadStream<Buffer> endHandler(@Nullable Handler<Void> handler) {
        end = handler;
        return this;
    }
}
