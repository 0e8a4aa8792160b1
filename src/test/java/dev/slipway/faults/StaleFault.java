package dev.slipway.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyResponse;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Answers a read with the state of some time ago.
 *
 * @param past knows the version of that time
 * @param age how long ago
 */
record StaleFault(Past past, Duration age) implements Fault {

    @Override
    public Future<ProxyResponse> ask(ProxyContext context, Supplier<Future<ProxyResponse>> next) {
        ApiCall call = call(context);
        past.version(age).ifPresent(version -> {
            String exactly = "resourceVersion=" + version + "&resourceVersionMatch=Exact";
            // Only lists can name a version exactly: one object is a list of one.
            String uri = call.verb().equals("list")
                    ? call.path() + "?" + (call.query().isEmpty() ? "" : call.query() + "&") + exactly
                    : call.path().substring(0, call.path().lastIndexOf('/')) + "?fieldSelector=metadata.name%3D"
                            + call.name() + "&" + exactly;
            context.request().setURI(uri);
            context.set("stale", true);
        });
        return next.get();
    }

    @Override
    public Future<Void> answer(ProxyContext context, Supplier<Future<Void>> next) {
        ProxyResponse response = context.response();
        boolean single = context.get("stale", Boolean.class) != null
                && call(context).verb().equals("get")
                && response.getStatusCode() == 200;
        if (!single) {
            return next.get();
        }
        return Bodies.whole(response).compose(whole -> {
            ObjectNode list = Bodies.object(whole).orElseThrow();
            JsonNode item = list.path("items").path(0);
            Bodies.replace(response, Buffer.buffer((item.isObject() ? typed(list, item) : absent(context)).toString()));
            return next.get();
        });
    }

    /** Items of lists do not say their kind. */
    private static ObjectNode typed(ObjectNode list, JsonNode item) {
        ObjectNode object = item.deepCopy();
        String kind = list.path("kind").asText();
        object.put("apiVersion", list.path("apiVersion").asText());
        return object.put("kind", kind.substring(0, kind.length() - "List".length()));
    }

    private static ObjectNode absent(ProxyContext context) {
        ApiCall call = call(context);
        context.response().setStatusCode(404);
        ObjectNode status =
                AnswerFaults.statusBody(404, "NotFound", call.resource() + " \"" + call.name() + "\" not found");
        status.putObject("details")
                .put("name", call.name())
                .put("group", call.group())
                .put("kind", call.resource());
        return status;
    }

    private static ApiCall call(ProxyContext context) {
        var request = context.request().proxiedRequest();
        return ApiCall.of(request.method().name(), request.uri());
    }
}
