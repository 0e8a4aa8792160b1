package dev.slipway.kernel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who this node is among those that share a database.
 *
 * @param id stays the same over restarts and differs between nodes; the host's name by default
 * @param heartbeat how often it says that it lives, and looks for waits to take over
 * @param deadAfter how old a node's last heartbeat is when the others take over its waits
 * @param watchdog how often it looks for flows that nothing drives
 */
@ConfigurationProperties("slipway.node")
public record NodeProperties(
        @Nullable String id,
        @DefaultValue("2s") Duration heartbeat,
        @DefaultValue("10s") Duration deadAfter,
        @DefaultValue("30s") Duration watchdog) {

    /** The node's name. */
    public String name() {
        if (id != null && !id.isBlank()) {
            return id;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "slipway";
        }
    }
}
