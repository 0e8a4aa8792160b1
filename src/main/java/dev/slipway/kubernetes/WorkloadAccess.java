package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * What a kubeconfig says about one API server: where it is, whom to trust, who we are.
 *
 * @param server the https URL
 * @param tlsServerName the name that the certificate must have, or empty for the URL's host
 * @param authority PEM of the CA certificates
 * @param certificate PEM of the client certificate, or empty
 * @param key PEM of the client key as PKCS#8, or empty
 * @param token a bearer token, or empty
 */
record WorkloadAccess(
        String server, String tlsServerName, String authority, String certificate, String key, String token) {

    /**
     * Makes a client that trusts nobody but that CA.
     *
     * @throws IOException if certificates or key cannot be used
     */
    ApiClient client() throws IOException {
        ClientBuilder builder = new ClientBuilder()
                .setBasePath(server)
                .setCertificateAuthority(authority.getBytes(StandardCharsets.UTF_8))
                .setVerifyingSsl(true);
        if (!tlsServerName.isEmpty()) {
            builder.setTlsServerName(tlsServerName);
        }
        if (token.isEmpty()) {
            builder.setAuthentication(new ClientCertificateAuthentication(
                    certificate.getBytes(StandardCharsets.UTF_8), key.getBytes(StandardCharsets.UTF_8)));
        } else {
            builder.setAuthentication(new AccessTokenAuthentication(token));
        }
        return builder.build();
    }

    /** A kubeconfig that says just this. JSON, which every reader of YAML reads. */
    WorkloadClusters.Kubeconfig kubeconfig() {
        ObjectNode json = Json.object();
        json.put("apiVersion", "v1").put("kind", "Config").put("current-context", "workload");
        ObjectNode cluster = named(json, "clusters").putObject("cluster");
        cluster.put("server", server).put("certificate-authority-data", base64(authority));
        if (!tlsServerName.isEmpty()) {
            cluster.put("tls-server-name", tlsServerName);
        }
        ObjectNode user = named(json, "users").putObject("user");
        if (token.isEmpty()) {
            user.put("client-certificate-data", base64(certificate)).put("client-key-data", base64(key));
        } else {
            user.put("token", token);
        }
        named(json, "contexts").putObject("context").put("cluster", "workload").put("user", "workload");
        return new WorkloadClusters.Kubeconfig(json.toString());
    }

    private static ObjectNode named(ObjectNode json, String list) {
        return json.putArray(list).addObject().put("name", "workload");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same server for another caller, who has nothing but that token and that CA. */
    WorkloadAccess as(String otherToken, String otherAuthority) {
        return new WorkloadAccess(server, tlsServerName, otherAuthority, "", "", otherToken);
    }

    /** The same server and caller, verified with these certificates. */
    WorkloadAccess trusting(String otherAuthority) {
        return new WorkloadAccess(server, tlsServerName, otherAuthority, certificate, key, token);
    }

    /** When the client certificate expires; empty if the caller has none, or brings a token in its place. */
    Optional<Instant> expires() {
        if (!token.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream pem = new ByteArrayInputStream(certificate.getBytes(StandardCharsets.UTF_8))) {
            var first = CertificateFactory.getInstance("X.509").generateCertificates(pem).stream()
                    .findFirst();
            return first.map(found -> ((X509Certificate) found).getNotAfter().toInstant());
        } catch (IOException | CertificateException e) {
            // The parser of kubeconfigs has read it before.
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        // The rest is secret.
        return "WorkloadAccess " + server;
    }
}
