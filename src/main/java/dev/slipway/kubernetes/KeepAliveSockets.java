package dev.slipway.kubernetes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/** Sockets that ask every half minute whether the other side is still there. */
final class KeepAliveSockets extends SocketFactory {

    private static final Map<SocketOption<Integer>, Integer> PACE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 30,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = new Socket();
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (Map.Entry<SocketOption<Integer>, Integer> option : PACE.entrySet()) {
            // Not every system lets the pace be set; its own pace is much slower but does no harm.
            if (socket.supportedOptions().contains(option.getKey())) {
                socket.setOption(option.getKey(), option.getValue());
            }
        }
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw new IOException("Not used");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        throw new IOException("Not used");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw new IOException("Not used");
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        throw new IOException("Not used");
    }
}
