package dev.slipway;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.springframework.test.context.DynamicPropertyRegistry;

/** A provider of single sign-on, as the whole application knows it: one that runs, and one that is down. */
public final class IdentityProvider {

    private static final String ISSUER = "corp";
    private static final long LIFE_SECONDS = 3600;

    private final MockOAuth2Server server =
            new MockOAuth2Server(OAuth2Config.Companion.fromJson("{\"httpServer\": \"NettyWrapper\"}"));

    private IdentityProvider() {}

    static IdentityProvider start() {
        IdentityProvider provider = new IdentityProvider();
        provider.server.start(InetAddress.getLoopbackAddress(), 0);
        Runtime.getRuntime().addShutdownHook(new Thread(provider.server::shutdown));
        return provider;
    }

    void configure(DynamicPropertyRegistry settings) {
        String client = "spring.security.oauth2.client.";
        register(settings, ISSUER, server.issuerUrl(ISSUER).toString());
        settings.add(client + "registration." + ISSUER + ".client-name", () -> "Corporate");
        // Nobody listens there.
        register(settings, "down", "http://127.0.0.1:1/down");
        settings.add("slipway.security.oidc.roles.viewer", () -> "everybody");
        settings.add("slipway.security.oidc.roles.operator", () -> "fleet-ops");
    }

    private static void register(DynamicPropertyRegistry settings, String id, String issuer) {
        String client = "spring.security.oauth2.client.";
        settings.add(client + "registration." + id + ".client-id", () -> "slipway");
        settings.add(client + "registration." + id + ".client-secret", () -> "only-in-tests");
        settings.add(client + "registration." + id + ".scope", () -> "openid,profile");
        settings.add(client + "provider." + id + ".issuer-uri", () -> issuer);
    }

    /** Lets the next one who signs in be that person. */
    public void nextIs(String name, String... groups) {
        server.enqueueCallback(new DefaultOAuth2TokenCallback(
                ISSUER,
                name,
                "JWT",
                List.of("slipway"),
                Map.of("preferred_username", name, "name", name + " of the provider", "groups", List.of(groups)),
                LIFE_SECONDS));
    }

    /** Where it listens. */
    public String url() {
        return server.issuerUrl(ISSUER).toString();
    }
}
