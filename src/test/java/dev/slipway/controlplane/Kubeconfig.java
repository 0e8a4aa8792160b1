package dev.slipway.controlplane;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes kubeconfigs with a client certificate. */
public final class Kubeconfig {

    private Kubeconfig() {}

    /** A kubeconfig with one cluster, one user and one context, all of that name. */
    public static String of(String name, String server, String authorityPem, Pki.Pem client) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                    certificate-authority-data: %3$s
                users:
                - name: %1$s
                  user:
                    client-certificate-data: %4$s
                    client-key-data: %5$s
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %1$s
                current-context: %1$s
                """
                .formatted(name, server, base64(authorityPem), base64(client.certificate()), base64(client.key()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
