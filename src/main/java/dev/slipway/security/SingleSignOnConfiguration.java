package dev.slipway.security;

import java.time.Clock;
import org.springframework.boot.autoconfigure.security.oauth2.client.ConditionalOnOAuth2ClientRegistrationProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/** Single sign-on, where {@code spring.security.oauth2.client.registration.*} names a provider. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnOAuth2ClientRegistrationProperties
@EnableConfigurationProperties(OAuth2ClientProperties.class)
class SingleSignOnConfiguration {

    @Bean
    ClientRegistrationRepository clientRegistrations(OAuth2ClientProperties properties) {
        return new LazyRegistrations(properties);
    }

    @Bean
    SingleSignOn singleSignOn(
            OAuth2ClientProperties properties,
            ClientRegistrationRepository registrations,
            OidcSettings settings,
            SingleSignOn.SignInDesk desk) {
        return new SingleSignOn(properties, registrations, new OidcPeople(settings), desk);
    }

    @Bean
    SingleSignOn.SignInDesk signInDesk(Sessions sessions, SignInLog log, Clock clock) {
        return new SingleSignOn.SignInDesk(sessions, log, clock);
    }
}
