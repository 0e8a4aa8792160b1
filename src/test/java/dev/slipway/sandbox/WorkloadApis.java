package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Etcd;
import dev.slipway.controlplane.Pki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The APIs of all workload clusters: at most so many real servers on the management cluster's etcd, or one for all. */
final class WorkloadApis implements AutoCloseable {

    private static final String DEFAULT_SERVICE_RANGE = "10.128.0.0/12";

    private final Etcd etcd;
    private final int maximum;
    private final Optional<SharedWorkloadApi> shared;
    private final Semaphore places;
    private final Map<String, WorkloadApi> byUid = new ConcurrentHashMap<>();
    private final Map<String, Boolean> seated = new ConcurrentHashMap<>();

    WorkloadApis(Etcd etcd, int maximum, Optional<SharedWorkloadApi> shared) {
        this.etcd = etcd;
        this.shared = shared;
        this.maximum = maximum;
        this.places = new Semaphore(maximum);
    }

    Optional<WorkloadApi> find(String clusterUid) {
        return Optional.ofNullable(byUid.get(clusterUid));
    }

    /** The API of a cluster, listening on that port or, if it is 0, on a free one. */
    WorkloadApi listen(String clusterUid, int port) {
        return byUid.computeIfAbsent(clusterUid, uid -> new WorkloadApi(port));
    }

    /**
     * Starts the API server of a cluster with the cluster's own certificates.
     *
     * @return why not, if it did not start
     */
    Optional<String> start(ObjectNode cluster, WorkloadApi api, JsonNode authority, JsonNode serviceAccounts) {
        String uid = Capi.uid(cluster);
        if (!seated.containsKey(uid)) {
            if (!places.tryAcquire()) {
                return Optional.of("The sandbox runs at most " + maximum
                        + " workload API servers at a time: delete a cluster, or start it with --max-workload-servers="
                        + (maximum + 1));
            }
            seated.put(uid, true);
        }
        try {
            api.start(() -> shared.map(one -> one.open(pem(authority)))
                    .orElseGet(() -> WorkloadServer.own(ControlPlane.builder()
                            .etcd(etcd)
                            .prefix(prefix(uid))
                            .authority(pem(authority))
                            .serviceAccountKeys(pem(serviceAccounts))
                            .serviceRange(serviceRange(cluster))
                            .start())));
            return Optional.empty();
        } catch (IllegalStateException e) {
            unseat(uid);
            return Optional.of(e.getMessage());
        }
    }

    /** Ends the API of a cluster and removes its data. */
    void remove(String clusterUid) {
        WorkloadApi api = byUid.remove(clusterUid);
        if (api != null) {
            api.close();
        }
        unseat(clusterUid);
        etcd.deletePrefix(prefix(clusterUid));
    }

    private void unseat(String uid) {
        if (seated.remove(uid) != null) {
            places.release();
        }
    }

    /** The decoded certificate and key of a secret. */
    static Pki.Pem pem(JsonNode secret) {
        return new Pki.Pem(decoded(secret, "tls.crt"), decoded(secret, "tls.key"));
    }

    private static String decoded(JsonNode secret, String key) {
        try {
            byte[] value = secret.path("data").path(key).binaryValue();
            if (value == null) {
                throw new IllegalStateException("Secret " + Capi.name(secret) + " has no key " + key);
            }
            return new String(value, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String serviceRange(JsonNode cluster) {
        List<String> blocks = new ArrayList<>();
        cluster.path("spec")
                .path("clusterNetwork")
                .path("services")
                .path("cidrBlocks")
                .forEach(block -> blocks.add(block.asText()));
        return blocks.isEmpty() ? DEFAULT_SERVICE_RANGE : String.join(",", blocks);
    }

    private static String prefix(String uid) {
        return "/workload-" + uid;
    }

    @Override
    public void close() {
        byUid.values().forEach(WorkloadApi::close);
        byUid.clear();
    }
}
