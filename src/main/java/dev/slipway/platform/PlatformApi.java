package dev.slipway.platform;

import dev.slipway.cluster.NameScope;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds out whether the management cluster serves a platform, and how. */
@Component
public class PlatformApi implements NameScope {

    public static final String GROUP = "platform.tkestack.io";

    private static final String CLUSTER = "Cluster";
    private static final String CREDENTIAL = "ClusterCredential";

    private final LiveReader reader;
    private final KubeWriter writer;
    private final PlatformSettings settings;

    public PlatformApi(LiveReader reader, KubeWriter writer, PlatformSettings settings) {
        this.reader = reader;
        this.writer = writer;
        this.settings = settings;
    }

    /**
     * Opens the platform.
     *
     * @return empty if there is none to use: switched off, or {@code auto} and neither kind is served
     * @throws Failure INVALID {@code PlatformAbsent} if it is required and absent, or only one of its kinds is served;
     *     TRANSIENT while its API server does not answer
     */
    public Optional<Platform> open() {
        if (settings.api() == PlatformSettings.Api.OFF) {
            return Optional.empty();
        }
        Optional<ResourceType> cluster = reader.find(GROUP, CLUSTER);
        Optional<ResourceType> credential = reader.find(GROUP, CREDENTIAL);
        if (cluster.isPresent() && credential.isPresent()) {
            return Optional.of(new Platform(
                    reader,
                    writer,
                    cluster.get(),
                    credential.get(),
                    reader.hasSubresource(cluster.get(), "status"),
                    reader.hasSubresource(cluster.get(), "finalize")));
        }
        if (cluster.isEmpty() && credential.isEmpty() && settings.api() == PlatformSettings.Api.AUTO) {
            return Optional.empty();
        }
        throw absent(cluster, credential);
    }

    /** A platform knows clusters by name alone: whether there is one that may be used. */
    @Override
    public boolean acrossNamespaces() {
        return settings.api() != PlatformSettings.Api.OFF
                && reader.find(GROUP, CLUSTER).isPresent();
    }

    private static Failure absent(Optional<ResourceType> cluster, Optional<ResourceType> credential) {
        String missing =
                cluster.isPresent() ? CREDENTIAL : credential.isPresent() ? CLUSTER : CLUSTER + " and " + CREDENTIAL;
        return new Failure(
                ErrorClass.INVALID,
                "PlatformAbsent",
                "The management cluster does not serve " + missing + " of " + GROUP,
                List.of(
                        "Install the platform's CRDs or API service",
                        "Or set slipway.platform.api to off, if clusters shall not be recorded in a platform"),
                null,
                null);
    }
}
