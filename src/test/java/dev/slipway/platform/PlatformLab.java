package dev.slipway.platform;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.kubernetes.KubeClient;
import org.awaitility.Awaitility;

/**
 * An API server with a platform, shared by the tests of this JVM, and ways to change how the platform is served.
 *
 * <p>Not the server of {@link ControlPlane#shared()}: where a platform is served, names of clusters are unique across
 * namespaces.
 */
public final class PlatformLab {

    private static final String WITH_STATUS = "classpath:platform/crds/platform.tkestack.io_clusters.yaml";
    private static final String WITHOUT_STATUS =
            "classpath:platform/variants/platform.tkestack.io_clusters-without-status.yaml";

    private PlatformLab() {}

    /** The API server, with the CRDs of Slipway, Cluster API and the platform. */
    public static ControlPlane plane() {
        return Shared.INSTANCE;
    }

    /** A client of it. */
    public static KubeClient client() {
        return KubeClient.of(plane().apiClient());
    }

    /** Opens the platform as the application does. */
    public static Platform open(KubeClient client) {
        return api(client, PlatformSettings.Api.REQUIRED).open().orElseThrow();
    }

    static PlatformApi api(KubeClient client, PlatformSettings.Api api) {
        return new PlatformApi(client, client, new PlatformSettings(api));
    }

    /** Runs a test while platform Clusters have no status sub-resource. */
    static void withoutStatusSubresource(Runnable test) {
        serve(WITHOUT_STATUS, false);
        try {
            test.run();
        } finally {
            serve(WITH_STATUS, true);
        }
    }

    private static void serve(String crd, boolean status) {
        // The server answers 429 for a moment after a kind has changed.
        Awaitility.await().ignoreExceptions().until(() -> {
            plane().installCrds(crd);
            return open(client()).hasStatusSubresource() == status;
        });
    }

    /** Started at first use. */
    private static final class Shared {
        private static final ControlPlane INSTANCE = create();

        private static ControlPlane create() {
            ControlPlane plane =
                    ControlPlane.builder().etcd(ControlPlane.shared().etcd()).start();
            Runtime.getRuntime().addShutdownHook(new Thread(plane::close, "close-platform"));
            plane.installCrds();
            plane.installCrds("classpath:platform/crds/*.yaml");
            return plane;
        }
    }
}
