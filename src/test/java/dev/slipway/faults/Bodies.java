package dev.slipway.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import io.vertx.core.streams.ReadStream;
import io.vertx.httpproxy.Body;
import io.vertx.httpproxy.ProxyResponse;
import java.io.IOException;
import java.util.Optional;

/** Reads and replaces the bodies of answers. */
final class Bodies {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Bodies() {}

    /** The whole body, once it has come. */
    static Future<Buffer> whole(ProxyResponse response) {
        Promise<Buffer> whole = Promise.promise();
        Buffer buffer = Buffer.buffer();
        ReadStream<Buffer> stream = response.getBody().stream();
        stream.handler(buffer::appendBuffer);
        stream.endHandler(end -> whole.tryComplete(buffer));
        stream.exceptionHandler(whole::tryFail);
        stream.resume();
        return whole.future();
    }

    static void replace(ProxyResponse response, Buffer body) {
        response.headers().remove("Content-Length");
        response.setBody(Body.body(body));
    }

    /** The events of a watch, one JSON text each, without the line's end. */
    static ShapedBody events(ProxyResponse response, ShapedBody.Shaper shaper) {
        ReadStream<Buffer> raw = response.getBody().stream();
        ShapedBody shaped = ShapedBody.of(RecordParser.newDelimited("\n", raw), shaper);
        raw.resume();
        response.headers().remove("Content-Length");
        response.setBody(Body.body(shaped));
        return shaped;
    }

    /** Lets the head go out before the first event. */
    static void openAtOnce(ProxyResponse response) {
        ReadStream<Buffer> raw = response.getBody().stream();
        response.setBody(Body.body(ShapedBody.of(raw, (piece, body) -> body.emit(piece))));
        raw.resume();
    }

    /** The JSON object, if it is one. */
    static Optional<ObjectNode> object(Buffer text) {
        try {
            return JSON.readTree(text.getBytes()) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
