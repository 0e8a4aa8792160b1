package dev.slipway.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The load balancer before a cluster's API server: there from the day the infrastructure is, whatever is behind it.
 *
 * <p>Without a server behind it closes each connection; as a black hole it accepts them and never answers.
 */
final class LoadBalancer implements AutoCloseable {

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "sandbox-load-balancer");
        thread.setDaemon(true);
        return thread;
    });
    private volatile int backend;
    private volatile boolean blackHole;

    /** Listens on that loopback port; 0 takes a free one. */
    LoadBalancer(int port) {
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on 127.0.0.1:" + port + ": " + e.getMessage(), e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Leads new connections to that loopback port; 0 means that there is no server. */
    void backend(int port) {
        backend = port;
    }

    /** Begins or ends swallowing everything; open connections are cut. */
    void blackHole(boolean swallow) {
        if (blackHole != swallow) {
            blackHole = swallow;
            open.forEach(LoadBalancer::closeQuietly);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket client) {
        if (blackHole) {
            swallow(client);
        } else {
            connect(client);
        }
    }

    /** Reads until the other side gives up. */
    private void swallow(Socket client) {
        try {
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // Cut off by either side: that is how each of these connections ends.
        }
        drop(client);
    }

    private void connect(Socket client) {
        int port = backend;
        if (port == 0) {
            drop(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            open.add(server);
            threads.execute(() -> pump(client, server));
            pump(server, client);
        } catch (IOException e) {
            drop(client);
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
            to.shutdownOutput();
        } catch (IOException e) {
            drop(from);
            drop(to);
        }
        if (from.isOutputShutdown() && to.isOutputShutdown()) {
            drop(from);
            drop(to);
        }
    }

    private void drop(Socket socket) {
        open.remove(socket);
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // A connection that cannot be closed is gone anyway.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(LoadBalancer::closeQuietly);
        threads.shutdownNow();
    }
}
