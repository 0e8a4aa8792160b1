package dev.slipway.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.ProxyContext;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Changes the JSON of a successful answer.
 *
 * @param change gets the object, the list, or an event of a watch
 */
record RewriteFault(UnaryOperator<ObjectNode> change) implements Fault {

    @Override
    public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
        if (context.response().getStatusCode() >= 300) {
            return next.get();
        }
        String uri = context.request().proxiedRequest().uri();
        if (ApiCall.of("GET", uri).isWatch()) {
            Bodies.events(
                    context.response(),
                    (event, body) -> body.emit(changed(event).copy().appendString("\n")));
            return next.get();
        }
        return Bodies.whole(context.response()).compose(whole -> {
            Bodies.replace(context.response(), changed(whole));
            return next.get();
        });
    }

    private Buffer changed(Buffer text) {
        return Bodies.object(text)
                .map(object -> Buffer.buffer(change.apply(object).toString()))
                .orElse(text);
    }
}
