package dev.slipway.faults;

import io.vertx.core.Future;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyResponse;
import java.util.function.Supplier;

/** What one fault does to a call; several may act on one call, each around the next. */
interface Fault {

    /**
     * On the way to the server.
     *
     * @param next asks the server
     */
    default Future<ProxyResponse> ask(ProxyContext context, Supplier<Future<ProxyResponse>> next) {
        return next.get();
    }

    /**
     * On the way back.
     *
     * @param next delivers the response of the context
     */
    default Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
        return next.get();
    }

    /** Whether the server never hears of the call: then no other fault acts after this one. */
    default boolean endsCall() {
        return false;
    }
}
