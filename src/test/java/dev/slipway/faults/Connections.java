package dev.slipway.faults;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;

/** Ends connections as networks do. */
final class Connections {

    private Connections() {}

    /** Sends RST: no answer, no TLS goodbye. */
    static void reset(HttpServerRequest request) {
        Channel channel = ((ConnectionBase) request.connection()).channel();
        channel.eventLoop().execute(() -> {
            if (channel.isOpen()) {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
                // Past the pipeline: TLS would say goodbye.
                channel.unsafe().close(channel.voidPromise());
            }
        });
    }
}
