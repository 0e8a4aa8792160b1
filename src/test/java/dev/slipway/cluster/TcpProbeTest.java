package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.phase.Outcome.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ways in which an endpoint can be missing are told apart. */
class TcpProbeTest {

    private final TcpProbe probe = new TcpProbe();

    @Test
    void findsAListener() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(connect("127.0.0.1", server.getLocalPort())).isEmpty();
            assertThat(connect("localhost", server.getLocalPort())).isEmpty();
        }
    }

    @Test
    void tellsThatNothingListens() throws IOException {
        // given
        int port;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }

        // when
        Waiting missing = connect("127.0.0.1", port).orElseThrow();

        // then
        assertThat(missing.reason()).isEqualTo("WaitingForEndpointListener");
        assertThat(missing.message())
                .isEqualTo("the control plane endpoint 127.0.0.1:" + port
                        + " (127.0.0.1) refuses connections: nothing listens there yet");
    }

    @Test
    void tellsThatTheNameIsUnknown() {
        // when
        Waiting missing = connect("no-such-host.invalid", 6443).orElseThrow();

        // then
        assertThat(missing.reason()).isEqualTo("WaitingForEndpointName");
        assertThat(missing.message()).contains("no-such-host.invalid");
    }

    @Test
    void tellsThatNobodyAnswers() throws IOException {
        // given a listener whose queue is full: the system drops what comes then
        List<SocketChannel> queued = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
                queued.add(channel);
            }

            // when
            Waiting missing = probe.connect(new Endpoint("127.0.0.1", server.getLocalPort()), Duration.ofMillis(200))
                    .orElseThrow();

            // then
            assertThat(missing.reason()).isEqualTo("WaitingForEndpointRoute");
            assertThat(missing.message()).contains("did not answer within");
        } finally {
            for (SocketChannel channel : queued) {
                channel.close();
            }
        }
    }

    private Optional<Waiting> connect(String host, int port) {
        return probe.connect(new Endpoint(host, port), Duration.ofSeconds(5));
    }
}
