package dev.slipway.security;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientPropertiesMapper;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/**
 * Asks a provider about itself when somebody first signs in there.
 *
 * <p>Slipway starts, and the other ways to sign in work, while a provider is down.
 */
final class LazyRegistrations implements ClientRegistrationRepository {

    private final OAuth2ClientProperties properties;
    private final Map<String, ClientRegistration> known = new ConcurrentHashMap<>();

    LazyRegistrations(OAuth2ClientProperties properties) {
        this.properties = properties;
    }

    @Override
    public @Nullable ClientRegistration findByRegistrationId(String id) {
        OAuth2ClientProperties.Registration registration =
                properties.getRegistration().get(id);
        return registration == null ? null : known.computeIfAbsent(id, absent -> ask(id, registration));
    }

    private ClientRegistration ask(String id, OAuth2ClientProperties.Registration registration) {
        OAuth2ClientProperties one = new OAuth2ClientProperties();
        one.getRegistration().put(id, registration);
        one.getProvider().putAll(properties.getProvider());
        ClientRegistration asked =
                new OAuth2ClientPropertiesMapper(one).asClientRegistrations().get(id);
        if (asked == null) {
            throw new IllegalStateException("No registration " + id);
        }
        return asked;
    }
}
