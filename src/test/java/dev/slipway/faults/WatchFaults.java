package dev.slipway.faults;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.ProxyContext;
import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Faults of a watch that was opened well. */
final class WatchFaults {

    private static final Duration LONGEST_HOLD = Duration.ofSeconds(1);

    private WatchFaults() {}

    /** Each event late by up to that long, never overtaking another. */
    static Fault late(Duration most, Random random) {
        return shaping(context -> new Late(most, random));
    }

    static Fault reordered(Random random) {
        return shaping(context -> new Reordered(random));
    }

    /** Resets the connection after that long. */
    static Fault cut(Duration after) {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                AnswerFaults.after(after)
                        .onComplete(done -> Connections.reset(context.request().proxiedRequest()));
                return next.get();
            }
        };
    }

    static Fault silent(Duration after) {
        return shaping(context -> {
            Silent silent = new Silent();
            silent.begun = after.isZero();
            AnswerFaults.after(after).onComplete(done -> silent.begun = true);
            return silent;
        });
    }

    static Fault expired(Duration after) {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                if (context.response().getStatusCode() == 200) {
                    Silent silent = new Silent();
                    ShapedBody body = Bodies.events(context.response(), silent);
                    AnswerFaults.after(after).onComplete(done -> {
                        silent.begun = true;
                        body.emit(line(Buffer.buffer(gone().toString())));
                        body.finish();
                    });
                }
                return next.get();
            }
        };
    }

    private static ObjectNode gone() {
        ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", "ERROR");
        event.set("object", AnswerFaults.statusBody(410, "Expired", "too old resource version"));
        return event;
    }

    private static Buffer line(Buffer event) {
        return event.copy().appendString("\n");
    }

    private static Fault shaping(java.util.function.Function<ProxyContext, ShapedBody.Shaper> shaper) {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                if (context.response().getStatusCode() == 200) {
                    Bodies.events(context.response(), shaper.apply(context));
                }
                return next.get();
            }
        };
    }

    private static final class Late implements ShapedBody.Shaper {

        private final Duration most;
        private final Random random;
        private Future<Void> last = Future.succeededFuture();

        Late(Duration most, Random random) {
            this.most = most;
            this.random = random;
        }

        @Override
        public void piece(Buffer event, ShapedBody body) {
            Duration lag = Duration.ofMillis((long) (random.nextDouble() * most.toMillis()));
            Future<Void> due = AnswerFaults.after(lag);
            last = Future.join(last, due).mapEmpty();
            last.onComplete(done -> body.emit(line(event)));
        }

        @Override
        public void end(ShapedBody body) {
            last.onComplete(done -> body.finish());
        }
    }

    private static final class Reordered implements ShapedBody.Shaper {

        private final Random random;
        private @Nullable Buffer held;

        Reordered(Random random) {
            this.random = random;
        }

        @Override
        public void piece(Buffer event, ShapedBody body) {
            if (held == null && random.nextBoolean()) {
                held = event;
                AnswerFaults.after(LONGEST_HOLD).onComplete(done -> release(event, body));
                return;
            }
            body.emit(line(event));
            release(held, body);
        }

        private void release(@Nullable Buffer event, ShapedBody body) {
            if (event != null && event == held) {
                held = null;
                body.emit(line(event));
            }
        }

        @Override
        public void end(ShapedBody body) {
            release(held, body);
            body.finish();
        }
    }

    /** Passes on until it begins; then nothing, not even the end. */
    private static final class Silent implements ShapedBody.Shaper {

        private boolean begun;

        @Override
        public void piece(Buffer event, ShapedBody body) {
            if (!begun) {
                body.emit(line(event));
            }
        }

        @Override
        public void end(ShapedBody body) {
            if (!begun) {
                body.finish();
            }
        }
    }
}
