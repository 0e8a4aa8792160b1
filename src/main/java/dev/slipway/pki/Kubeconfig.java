package dev.slipway.pki;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The current context of a kubeconfig: which server, which authority, which user.
 *
 * <p>Built ones have the names that Cluster API gives: cluster {@code <c>}, user {@code <c>-admin}, context
 * {@code <c>-admin@<c>}, CN {@code kubernetes-admin}, O {@code system:masters}.
 *
 * @param server the server's URL
 * @param authority the certificate authorities in PEM
 * @param clientCertificate the user's certificate in PEM; empty for tokens and exec plugins
 * @param clientKey the user's key in PEM; empty for tokens and exec plugins
 */
record Kubeconfig(String server, String authority, Optional<String> clientCertificate, Optional<String> clientKey) {

    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build());

    /** Makes an administrator's kubeconfig with a new key and a client certificate of the cluster's authority. */
    static String build(
            String cluster, String server, CertificateAuthority authority, CertificateSettings settings, Instant now) {
        PemPair client = authority.issue(
                CertificateRequest.client(
                        "kubernetes-admin",
                        List.of("system:masters"),
                        settings.keyAlgorithm(),
                        settings.clientValidity()),
                now);
        String user = cluster + "-admin";
        String context = user + "@" + cluster;
        ObjectNode config = YAML.createObjectNode();
        config.put("apiVersion", "v1").put("kind", "Config").put("current-context", context);
        config.putArray("clusters")
                .addObject()
                .put("name", cluster)
                .putObject("cluster")
                .put("certificate-authority-data", base64(authority.certificatePem()))
                .put("server", server);
        config.putArray("contexts")
                .addObject()
                .put("name", context)
                .putObject("context")
                .put("cluster", cluster)
                .put("user", user);
        config.putObject("preferences");
        config.putArray("users")
                .addObject()
                .put("name", user)
                .putObject("user")
                .put("client-certificate-data", base64(client.certificate()))
                .put("client-key-data", base64(client.privateKey()));
        try {
            return YAML.writeValueAsString(config);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A kubeconfig could not be written as YAML", e);
        }
    }

    /** Reads the current context. */
    static Kubeconfig parse(String yaml) throws PemException {
        JsonNode config;
        try {
            config = YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            // The parser's own message quotes the text around the fault, which may be a key.
            throw unreadable("it is not YAML");
        }
        JsonNode context =
                named(config, "context", config.path("current-context").asText());
        JsonNode cluster = named(config, "cluster", context.path("cluster").asText());
        JsonNode user = named(config, "user", context.path("user").asText());
        if (cluster.path("insecure-skip-tls-verify").asBoolean()) {
            throw new PemException(ProblemCode.KUBECONFIG_INSECURE, "it sets insecure-skip-tls-verify");
        }
        String server = cluster.path("server").asText();
        if (server.isEmpty()) {
            throw unreadable("the cluster \"" + context.path("cluster").asText() + "\" has no server");
        }
        return new Kubeconfig(
                server,
                decoded(cluster, "certificate-authority-data")
                        .orElseThrow(() -> unreadable("the cluster \""
                                + context.path("cluster").asText() + "\" has no certificate-authority-data")),
                decoded(user, "client-certificate-data"),
                decoded(user, "client-key-data"));
    }

    private static JsonNode named(JsonNode config, String what, String name) throws PemException {
        for (JsonNode entry : config.path(what + "s")) {
            if (name.equals(entry.path("name").asText())) {
                return entry.path(what);
            }
        }
        throw unreadable("it has no " + what + " named \"" + name + "\"");
    }

    private static Optional<String> decoded(JsonNode node, String field) throws PemException {
        String text = node.path(field).asText("");
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw unreadable(field + " is not base64");
        }
    }

    private static PemException unreadable(String message) {
        return new PemException(ProblemCode.KUBECONFIG_UNREADABLE, message);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** How much of a certificate's life may pass before it is renewed: half, as Cluster API does. */
    static boolean pastHalfLife(X509Certificate certificate, Instant now) {
        Instant start = certificate.getNotBefore().toInstant();
        Duration life = Duration.between(start, certificate.getNotAfter().toInstant());
        return now.isAfter(start.plus(life.dividedBy(2)));
    }

    @Override
    public String toString() {
        return "Kubeconfig[" + server + ", credentials withheld]";
    }
}
