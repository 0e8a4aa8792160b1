package dev.slipway.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a server on loopback: cuts connections, or swallows what they carry. */
final class TcpProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Set<Socket> swallowed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    private TcpProxy(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    static TcpProxy to(int port) {
        try {
            TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
            run(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /** How many connections were opened through it. */
    int accepted() {
        return accepted.get();
    }

    /** Cuts all connections; new ones are let through. */
    void cut() {
        sockets.forEach(TcpProxy::close);
        sockets.clear();
    }

    /** Lets present connections carry nothing any more, without closing them: half-open. New ones carry. */
    void swallowPresent() {
        swallowed.addAll(sockets);
        sockets.clear();
    }

    @Override
    public void close() {
        close(server);
        cut();
        swallowed.forEach(TcpProxy::close);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, upstream));
                accepted.incrementAndGet();
                run(() -> pump(client, upstream));
                run(() -> pump(upstream, client));
            } catch (IOException e) {
                // Closed, or the server is away: the client sees it.
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!swallowed.contains(from)) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            close(from);
        }
        if (!swallowed.contains(from)) {
            close(to);
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
