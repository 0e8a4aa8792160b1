package dev.slipway.pki;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.kubernetes.KubeObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The secret {@code <c>-kubeconfig}: made anew, renewed, and checked.
 *
 * <ul>
 *   <li>it carries the cluster's label and holds a complete kubeconfig under {@code value};
 *   <li>it trusts the authority in {@code <c>-ca};
 *   <li>it points to the cluster's endpoint;
 *   <li>its client certificate and key belong together and are within half of their life. Tokens and exec plugins are
 *       fine: their end is unknown.
 * </ul>
 *
 * @param cluster the cluster's name
 * @param server the URL of the cluster's endpoint, for example {@code https://10.0.0.1:6443}
 * @param authority the cluster's authority
 * @param now the current time
 */
public record KubeconfigSecret(String cluster, String server, CertificateAuthority authority, Instant now) {

    private static final int HTTPS_PORT = 443;

    /** The name of a cluster's kubeconfig secret. */
    public static String name(String cluster) {
        return cluster + "-kubeconfig";
    }

    /** A new secret with a new key, owned by the Cluster API Cluster. */
    public KubeObject create(CapiCluster owner, CertificateSettings settings) {
        return StoredSecret.create(name(cluster), owner, data(settings)).object();
    }

    /** A patch of this very version of the secret, with a new key and certificate. */
    public ObjectNode renew(StoredSecret secret, CertificateSettings settings) {
        return secret.replacing(data(settings));
    }

    private Map<String, String> data(CertificateSettings settings) {
        return Map.of(StoredSecret.KUBECONFIG, Kubeconfig.build(cluster, server, authority, settings, now));
    }

    /** Checks a secret that was read live. */
    public KubeconfigCheck check(StoredSecret secret) {
        if (!secret.labelledFor(cluster)) {
            return new KubeconfigCheck.Invalid(KeyPairSecret.notLabelled(secret, cluster));
        }
        try {
            String yaml = secret.data(StoredSecret.KUBECONFIG)
                    .orElseThrow(() -> new PemException(ProblemCode.KUBECONFIG_UNREADABLE, "it is absent or empty"));
            return check(secret, Kubeconfig.parse(yaml));
        } catch (PemException e) {
            return new KubeconfigCheck.Invalid(problem(secret, e.code(), e.message()));
        }
    }

    private KubeconfigCheck check(StoredSecret secret, Kubeconfig config) throws PemException {
        List<X509Certificate> trusted = certificates(config.authority(), "certificate-authority-data");
        if (!trusted.contains(authority.certificate())) {
            return new KubeconfigCheck.Invalid(problem(
                    secret,
                    ProblemCode.KUBECONFIG_CA_DIFFERS,
                    "it trusts the authority with the SHA-256 fingerprint " + Fingerprint.of(trusted.get(0))
                            + ", but " + CertificatePurpose.CA.secretName(cluster) + " has "
                            + authority.fingerprint()));
        }
        Optional<X509Certificate> client = client(config);
        if (!sameServer(server, config.server())) {
            return new KubeconfigCheck.Outdated(problem(
                    secret,
                    ProblemCode.KUBECONFIG_ENDPOINT_DIFFERS,
                    "it points to " + config.server() + ", but the cluster's endpoint is " + server));
        }
        return client.map(c -> checkAge(secret, c)).orElseGet(() -> new KubeconfigCheck.Valid(Optional.empty()));
    }

    private KubeconfigCheck checkAge(StoredSecret secret, X509Certificate client) {
        Instant end = client.getNotAfter().toInstant();
        if (!end.isAfter(now)) {
            return new KubeconfigCheck.Outdated(
                    problem(secret, ProblemCode.KUBECONFIG_EXPIRED, "its client certificate expired on " + end));
        }
        return Kubeconfig.pastHalfLife(client, now)
                ? new KubeconfigCheck.Ageing(end)
                : new KubeconfigCheck.Valid(Optional.of(end));
    }

    private static Optional<X509Certificate> client(Kubeconfig config) throws PemException {
        Optional<String> certificate = config.clientCertificate();
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate client =
                certificates(certificate.get(), "client-certificate-data").get(0);
        String key = config.clientKey()
                .orElseThrow(() -> new PemException(
                        ProblemCode.KUBECONFIG_UNREADABLE, "the user has client-certificate-data but no key"));
        if (!KeyPairSecret.pair(client.getPublicKey(), clientKey(key))) {
            throw new PemException(
                    ProblemCode.KUBECONFIG_KEY_MISMATCH, "client-key-data does not belong to client-certificate-data");
        }
        return Optional.of(client);
    }

    private static PrivateKey clientKey(String pem) throws PemException {
        try {
            return Pem.privateKey(pem);
        } catch (PemException e) {
            throw new PemException(ProblemCode.KUBECONFIG_UNREADABLE, "client-key-data: " + e.message());
        }
    }

    private static List<X509Certificate> certificates(String pem, String field) throws PemException {
        try {
            return Pem.certificates(pem);
        } catch (PemException e) {
            throw new PemException(ProblemCode.KUBECONFIG_UNREADABLE, field + ": " + e.message());
        }
    }

    /** Whether two URLs name the same server: case, a default port and a final slash do not matter. */
    static boolean sameServer(String one, String other) {
        return normalized(one).equals(normalized(other));
    }

    private static String normalized(String url) {
        try {
            URI uri = new URI(url);
            String path = "/".equals(uri.getPath()) ? "" : String.valueOf(uri.getPath());
            int port = uri.getPort() == -1 ? HTTPS_PORT : uri.getPort();
            return (uri.getScheme() + "://" + uri.getHost() + ":" + port).toLowerCase(Locale.ROOT) + path;
        } catch (URISyntaxException e) {
            return url;
        }
    }

    private Problem problem(StoredSecret secret, ProblemCode code, String message) {
        return new Problem(
                code,
                secret.display(),
                "data." + StoredSecret.KUBECONFIG,
                message,
                Remedies.forKubeconfig(code, secret, server));
    }
}
