package dev.slipway.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps one client for each cluster and kubeconfig secret, as long as the secret stays as it is.
 *
 * <p>Bounded: the client that was not used for longest goes first. What a closed client still does ends normally.
 */
final class CachedWorkloadClusters implements WorkloadClusters, AutoCloseable {

    private final int capacity;
    private final CallSettings settings;
    private final ErrorClassifier errors;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    CachedWorkloadClusters(int capacity, CallSettings settings, ErrorClassifier errors) {
        this.capacity = capacity;
        this.settings = settings;
        this.errors = errors;
    }

    @Override
    public Workload open(String clusterUid, KubeObject kubeconfigSecret, String authority) {
        String source = "the secret " + kubeconfigSecret.namespace() + "/" + kubeconfigSecret.name();
        String kubeconfig = kubeconfig(source, kubeconfigSecret);
        Key key = new Key(clusterUid, source);
        // The hash covers the CA and all else: a resourceVersion alone repeats when etcd is restored.
        String state = kubeconfigSecret.resourceVersion() + "/" + hash(kubeconfig + authority);
        synchronized (entries) {
            Entry known = entries.get(key);
            if (known != null && known.state().equals(state)) {
                return known.client();
            }
        }
        return replace(key, new Entry(state, client(source, kubeconfig, authority)));
    }

    @Override
    public void close() {
        synchronized (entries) {
            entries.values().forEach(entry -> entry.client().close());
            entries.clear();
        }
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    private Workload replace(Key key, Entry entry) {
        synchronized (entries) {
            Entry old = entries.put(key, entry);
            if (old != null) {
                old.client().close();
            }
            Iterator<Entry> oldest = entries.values().iterator();
            while (entries.size() > capacity) {
                oldest.next().client().close();
                oldest.remove();
            }
            return entry.client();
        }
    }

    private WorkloadClient client(String source, String kubeconfig, String authority) {
        WorkloadAccess parsed = KubeconfigParser.parse(source, kubeconfig);
        WorkloadAccess access = authority.isEmpty() ? parsed : parsed.trusting(authority);
        try {
            RestClient rest = new RestClient(access.client(), settings, errors);
            return new WorkloadClient(
                    rest, settings, access, (token, trusted) -> bearer(source, access.as(token.value(), trusted)));
        } catch (IOException | RuntimeException e) {
            // Not as a cause: messages of key parsers may quote keys.
            throw CallError.KUBECONFIG_INVALID.failure("The kubeconfig of " + source
                    + " cannot be used: its client-certificate-data or client-key-data is not readable ("
                    + e.getClass().getSimpleName() + ").");
        }
    }

    private RestClient bearer(String source, WorkloadAccess access) {
        try {
            return new RestClient(access.client(), settings, errors);
        } catch (IOException | RuntimeException e) {
            throw CallError.KUBECONFIG_INVALID.failure(
                    "The server of " + source + " cannot be verified: the CA is not readable ("
                            + e.getClass().getSimpleName() + ").");
        }
    }

    private static String kubeconfig(String source, KubeObject secret) {
        String encoded = secret.text("data", "value").orElse("");
        if (encoded.isEmpty()) {
            throw CallError.KUBECONFIG_INVALID.failure("There is no kubeconfig: " + source + " has no key 'value'.");
        }
        try {
            return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw CallError.KUBECONFIG_INVALID.failure("The key 'value' of " + source + " is no base64.");
        }
    }

    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private record Key(String clusterUid, String source) {}

    private record Entry(String state, WorkloadClient client) {}
}
