package dev.slipway.faults;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.Body;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyResponse;
import java.time.Duration;
import java.util.function.Supplier;

/** Faults of a single request and its answer. */
final class AnswerFaults {

    private static final String JSON = "application/json";
    private static final int DRIBBLES = 8;

    private AnswerFaults() {}

    /** Answers with a Kubernetes Status in the server's place. */
    static Fault status(int code, String reason, String message) {
        return new Answered(code, JSON, statusBody(code, reason, message).toString(), "");
    }

    static Fault overload(Duration retryAfter) {
        String seconds = Long.toString(Math.max(1, retryAfter.toSeconds()));
        ObjectNode status = statusBody(429, "TooManyRequests", "too many requests, please try again later");
        status.putObject("details").put("retryAfterSeconds", Long.parseLong(seconds));
        return new Answered(429, JSON, status.toString(), seconds);
    }

    static Fault html(int code) {
        String page = "<html>\r\n<head><title>%d</title></head>\r\n<body><h1>%d</h1><hr>nginx</body>\r\n</html>"
                .formatted(code, code);
        return new Answered(code, "text/html", page, "");
    }

    static ObjectNode statusBody(int code, String reason, String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", message)
                .put("reason", reason)
                .put("code", code);
    }

    static Fault slowHead(Duration delay) {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                return after(delay).compose(done -> next.get());
            }
        };
    }

    static Fault slowBody(Duration time) {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                return Bodies.whole(context.response()).compose(whole -> {
                    ShapedBody dribbling = ShapedBody.empty();
                    dribble(dribbling, whole, 0, time.dividedBy(DRIBBLES));
                    context.response().setBody(Body.body(dribbling, whole.length()));
                    return next.get();
                });
            }
        };
    }

    private static void dribble(ShapedBody body, Buffer whole, int from, Duration pause) {
        if (from >= whole.length()) {
            body.finish();
            return;
        }
        int to = Math.min(whole.length(), from + whole.length() / DRIBBLES + 1);
        body.emit(whole.getBuffer(from, to));
        after(pause).onComplete(done -> dribble(body, whole, to, pause));
    }

    static Fault lost() {
        return new Fault() {
            @Override
            public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
                // What comes of the rest of the answer is nobody's business any more.
                context.response().getBody().stream().exceptionHandler(ignored -> {});
                context.response().release();
                Connections.reset(context.request().proxiedRequest());
                return never();
            }
        };
    }

    static Fault reset() {
        return new Fault() {
            @Override
            public Future<ProxyResponse> ask(ProxyContext context, Supplier<Future<ProxyResponse>> next) {
                Connections.reset(context.request().proxiedRequest());
                return never();
            }

            @Override
            public boolean endsCall() {
                return true;
            }
        };
    }

    static Fault overtaken(Runnable other) {
        return new Fault() {
            @Override
            public Future<ProxyResponse> ask(ProxyContext context, Supplier<Future<ProxyResponse>> next) {
                return Vertx.currentContext()
                        .<Void>executeBlocking(() -> {
                            other.run();
                            return null;
                        })
                        .compose(done -> next.get());
            }
        };
    }

    /** Done after that long, on the same event loop. */
    static Future<Void> after(Duration delay) {
        Promise<Void> promise = Promise.promise();
        Vertx.currentContext().owner().setTimer(Math.max(1, delay.toMillis()), id -> promise.complete());
        return promise.future();
    }

    /** For calls whose connection is gone: nothing is left to do, not even to fail. */
    private static <T> Future<T> never() {
        Promise<T> promise = Promise.promise();
        return promise.future();
    }

    /** An answer in the server's place. */
    private record Answered(int code, String contentType, String body, String retryAfter) implements Fault {

        @Override
        public Future<ProxyResponse> ask(ProxyContext context, Supplier<Future<ProxyResponse>> next) {
            ProxyResponse response = context.request()
                    .release()
                    .response()
                    .setStatusCode(code)
                    .putHeader("Content-Type", contentType)
                    .setBody(Body.body(Buffer.buffer(body)));
            if (!retryAfter.isEmpty()) {
                response.putHeader("Retry-After", retryAfter);
            }
            return Future.succeededFuture(response);
        }

        @Override
        public boolean endsCall() {
            return true;
        }
    }
}
