package dev.slipway.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts servers on free ports, again with others when somebody else was quicker to take one. */
final class Starting {

    private static final int ATTEMPTS = 5;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Starting() {}

    /**
     * A server that was started and may become ready.
     *
     * @param server what the caller gets once it is ready
     * @param process its process
     * @param ready asks it; an exception means "not yet"
     */
    record Candidate<T>(T server, SupervisedProcess process, Ready ready) {}

    /** Asks whether a server is ready. */
    @FunctionalInterface
    interface Ready {
        boolean ask() throws IOException, InterruptedException;
    }

    /** Starts a server on the given ports. */
    @FunctionalInterface
    interface Attempt<T> {
        Candidate<T> start(List<Integer> ports, int attempt);
    }

    /** Starts a server on so many free ports and waits until it is ready. */
    static <T> T onFreePorts(String name, int ports, Attempt<T> attempt) {
        String failure = "";
        for (int i = 1; i <= ATTEMPTS; i++) {
            Candidate<T> candidate = attempt.start(freePorts(ports), i);
            if (becomesReady(candidate)) {
                return candidate.server();
            }
            failure = candidate.process().describe();
            boolean portTaken = candidate.process().logText().contains("address already in use");
            candidate.process().close();
            if (!portTaken) {
                break;
            }
        }
        throw new ControlPlane.StartFailed("Cannot start " + name + ": " + failure);
    }

    /** Waits for one server; false when it ended or the deadline passed. */
    static boolean becomesReady(Candidate<?> candidate) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        try {
            while (System.nanoTime() < end) {
                if (asks(candidate)) {
                    return true;
                }
                if (candidate.process().await(PAUSE)) {
                    return false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static boolean asks(Candidate<?> candidate) throws InterruptedException {
        try {
            return candidate.ready().ask();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Free right now; another process may still take one before it is used. */
    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on loopback", e);
        }
    }
}
