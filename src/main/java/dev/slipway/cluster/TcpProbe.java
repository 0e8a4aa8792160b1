package dev.slipway.cluster;

import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.phase.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;

/** Finds out whether something listens at an endpoint, and if not, which part of the way is missing. */
@Component
public class TcpProbe {

    // Names are resolved without a deadline by the platform: on threads of their own, so that a run has one.
    private final ExecutorService resolvers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "slipway-dns");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Connects once and closes at once.
     *
     * @param deadline for the name and for the connection, each
     * @return empty if something accepted the connection, else what is awaited
     */
    public Optional<Outcome.Waiting> connect(Endpoint endpoint, Duration deadline) {
        InetAddress[] addresses;
        try {
            addresses = resolve(endpoint.host(), deadline);
        } catch (UnknownHostException e) {
            return missing(
                    "WaitingForEndpointName",
                    "the host name " + endpoint.host() + " of the control plane endpoint has no address in DNS");
        } catch (TimeoutException e) {
            return missing(
                    "WaitingForEndpointName",
                    "DNS gave no answer for " + endpoint.host() + " within " + deadline.toSeconds() + " s");
        }
        Optional<Outcome.Waiting> last = Optional.empty();
        for (InetAddress address : addresses) {
            last = connect(endpoint, address, deadline);
            if (last.isEmpty()) {
                return last;
            }
        }
        return last;
    }

    private InetAddress[] resolve(String host, Duration deadline) throws UnknownHostException, TimeoutException {
        CompletableFuture<InetAddress[]> answer = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return InetAddress.getAllByName(host);
                    } catch (UnknownHostException e) {
                        return new InetAddress[0];
                    }
                },
                resolvers);
        try {
            InetAddress[] addresses = answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
            if (addresses.length == 0) {
                throw new UnknownHostException(host);
            }
            // A few suffice: each may take the whole deadline.
            return Arrays.copyOf(addresses, Math.min(addresses.length, 2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot resolve " + host, e.getCause());
        }
    }

    private static Optional<Outcome.Waiting> connect(Endpoint endpoint, InetAddress address, Duration deadline) {
        String where = "the control plane endpoint " + endpoint.display();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, endpoint.port()), (int) deadline.toMillis());
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            return missing(
                    "WaitingForEndpointRoute",
                    where + " (" + address.getHostAddress() + ") did not answer within " + deadline.toSeconds()
                            + " s: a firewall drops packets or no machine has the address");
        } catch (NoRouteToHostException e) {
            return missing(
                    "WaitingForEndpointRoute", where + " (" + address.getHostAddress() + ") has no route from here");
        } catch (ConnectException e) {
            return missing(
                    "WaitingForEndpointListener",
                    where + " (" + address.getHostAddress() + ") refuses connections: nothing listens there yet");
        } catch (IOException e) {
            return missing("WaitingForEndpointRoute", where + " cannot be reached: " + e.getMessage());
        }
    }

    private static Optional<Outcome.Waiting> missing(String reason, String message) {
        return Optional.of(Outcome.waiting(reason, message));
    }
}
