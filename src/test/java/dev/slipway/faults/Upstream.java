package dev.slipway.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.util.Base64;

/**
 * The way to an API server.
 *
 * @param client authenticates itself as the administrator
 * @param bare shows no certificate, for requests that bring a token
 */
record Upstream(HttpClient client, HttpClient bare) {

    private static final int CONNECTIONS = 1000;

    static Upstream of(Vertx vertx, ControlPlane plane) {
        JsonNode config = JsonApi.parseYaml(plane.adminKubeconfig()).get(0);
        JsonNode cluster = config.path("clusters").path(0).path("cluster");
        JsonNode user = config.path("users").path(0).path("user");
        URI server = URI.create(cluster.path("server").asText());
        HttpClientOptions options = new HttpClientOptions()
                .setDefaultHost(server.getHost())
                .setDefaultPort(server.getPort())
                .setSsl(true)
                .setMaxPoolSize(CONNECTIONS)
                .setTrustOptions(new PemTrustOptions().addCertValue(decoded(cluster, "certificate-authority-data")));
        HttpClientOptions asAdmin = new HttpClientOptions(options)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(decoded(user, "client-certificate-data"))
                        .setKeyValue(decoded(user, "client-key-data")));
        return new Upstream(vertx.createHttpClient(asAdmin), vertx.createHttpClient(options));
    }

    private static Buffer decoded(JsonNode node, String field) {
        return Buffer.buffer(Base64.getDecoder().decode(node.path(field).asText()));
    }
}
