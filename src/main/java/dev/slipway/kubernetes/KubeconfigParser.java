package dev.slipway.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Reads kubeconfigs of workload clusters, which come from others, and refuses what would be unsafe.
 *
 * <ul>
 *   <li>TLS without verification, or without a CA;
 *   <li>programs to run ({@code exec}, {@code auth-provider});
 *   <li>files, which would be Slipway's own, not those of the kubeconfig's author;
 *   <li>anything that would be ignored, and so change who calls or where to.
 * </ul>
 */
final class KubeconfigParser {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final List<String> REFUSED_OF_CLUSTER = List.of("certificate-authority", "proxy-url");
    private static final List<String> REFUSED_OF_USER = List.of(
            "exec",
            "auth-provider",
            "client-certificate",
            "client-key",
            "tokenFile",
            "username",
            "password",
            "as",
            "as-uid",
            "as-groups",
            "as-user-extra");

    private final String source;

    private KubeconfigParser(String source) {
        this.source = source;
    }

    /**
     * Reads a kubeconfig.
     *
     * @param source names where it comes from, in failures
     * @param text the YAML
     * @throws dev.slipway.phase.Failure {@code KubeconfigInvalid} naming the field; the text is never quoted
     */
    static WorkloadAccess parse(String source, String text) {
        return new KubeconfigParser(source).read(text);
    }

    private WorkloadAccess read(String text) {
        JsonNode config = yaml(text);
        String contextName = config.path("current-context").asText("");
        if (contextName.isEmpty()) {
            throw invalid("current-context is not set");
        }
        JsonNode context = entry(config, "contexts", contextName).path("context");
        JsonNode cluster =
                entry(config, "clusters", context.path("cluster").asText("")).path("cluster");
        JsonNode user = entry(config, "users", context.path("user").asText("")).path("user");
        if (cluster.path("insecure-skip-tls-verify").asBoolean()) {
            throw invalid("insecure-skip-tls-verify asks to trust any server");
        }
        refuse("cluster", cluster, REFUSED_OF_CLUSTER);
        refuse("user", user, REFUSED_OF_USER);
        String authority = decoded(cluster, "certificate-authority-data");
        if (authority.isEmpty()) {
            throw invalid("certificate-authority-data is missing: without a CA no server can be trusted");
        }
        certificates("certificate-authority-data", authority);
        return withUser(cluster, authority, user);
    }

    private WorkloadAccess withUser(JsonNode cluster, String authority, JsonNode user) {
        String token = user.path("token").asText("");
        String certificate = decoded(user, "client-certificate-data");
        String key = decoded(user, "client-key-data");
        if (token.isEmpty() && (certificate.isEmpty() || key.isEmpty())) {
            throw invalid("the user has neither a token nor client-certificate-data with client-key-data");
        }
        if (!certificate.isEmpty()) {
            certificates("client-certificate-data", certificate);
        }
        String pkcs8 = key.isEmpty() ? "" : privateKey(key);
        String tlsServerName = cluster.path("tls-server-name").asText("");
        return new WorkloadAccess(server(cluster), tlsServerName, authority, certificate, pkcs8, token);
    }

    private String server(JsonNode cluster) {
        String server = cluster.path("server").asText("");
        try {
            URI uri = new URI(server);
            if ("https".equals(uri.getScheme()) && uri.getHost() != null && uri.getUserInfo() == null) {
                return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
            }
        } catch (URISyntaxException e) {
            throw invalid("server is no URL");
        }
        throw invalid("server must be an https URL with a host and without credentials");
    }

    private JsonNode yaml(String text) {
        try {
            JsonNode config = YAML.readTree(text);
            if (config != null && config.isObject()) {
                return config;
            }
        } catch (JsonProcessingException e) {
            // Not as a cause: its message quotes the text.
            throw invalid("it is no YAML");
        }
        throw invalid("it is no YAML map");
    }

    private JsonNode entry(JsonNode config, String list, String name) {
        for (JsonNode entry : config.path(list)) {
            if (name.equals(entry.path("name").asText())) {
                return entry;
            }
        }
        throw invalid("'" + name + "' is not in " + list);
    }

    private void refuse(String part, JsonNode node, List<String> fields) {
        for (String field : fields) {
            if (node.hasNonNull(field)) {
                throw invalid("the " + part + "'s field " + field + " is not allowed: put the data itself into it");
            }
        }
    }

    private String decoded(JsonNode node, String field) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(node.path(field).asText(""));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw invalid(field + " is no base64");
        }
    }

    private void certificates(String field, String pem) {
        byte[] bytes = pem.getBytes(StandardCharsets.UTF_8);
        try {
            if (!CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .isEmpty()) {
                return;
            }
        } catch (CertificateException e) {
            throw invalid(field + " holds no valid PEM certificate");
        }
        throw invalid(field + " holds no PEM certificate");
    }

    /** The key as PKCS#8, whatever form it came in. */
    private String privateKey(String pem) {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            // "openssl ecparam -genkey" writes the curve in a block of its own before the key.
            for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
                PrivateKeyInfo info = next instanceof PEMKeyPair pair ? pair.getPrivateKeyInfo() : null;
                if (next instanceof PrivateKeyInfo plain) {
                    info = plain;
                }
                if (info != null) {
                    StringWriter text = new StringWriter();
                    try (PemWriter writer = new PemWriter(text)) {
                        writer.writeObject(new PemObject("PRIVATE KEY", info.getEncoded()));
                    }
                    return text.toString();
                }
            }
        } catch (IOException | RuntimeException e) {
            // Not as a cause: its message may quote the key.
            throw invalid("client-key-data holds no readable PEM key");
        }
        throw invalid("client-key-data holds no unencrypted PEM key");
    }

    private RuntimeException invalid(String what) {
        return CallError.KUBECONFIG_INVALID.failure("The kubeconfig of " + source + " cannot be used: " + what + ".");
    }
}
