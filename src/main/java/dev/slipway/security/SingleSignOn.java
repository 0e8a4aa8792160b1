package dev.slipway.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Signs people in at providers of OpenID Connect.
 *
 * <p>What comes back becomes a session like any other. Access tokens are not kept: Slipway asks the provider nothing
 * on behalf of people.
 */
final class SingleSignOn implements Providers {

    private static final Logger LOG = LoggerFactory.getLogger(SingleSignOn.class);
    private static final String START = "/oauth2/authorization";
    private static final String FAILED = "/#/sign-in?error=provider";

    private final OAuth2ClientProperties properties;
    private final ClientRegistrationRepository registrations;
    private final OidcPeople people;
    private final Sessions sessions;
    private final SignInLog log;
    private final Clock clock;

    SingleSignOn(
            OAuth2ClientProperties properties,
            ClientRegistrationRepository registrations,
            OidcPeople people,
            SignInDesk desk) {
        this.properties = properties;
        this.registrations = registrations;
        this.people = people;
        this.sessions = desk.sessions();
        this.log = desk.log();
        this.clock = desk.clock();
    }

    /** What signing in needs, whatever the way. */
    record SignInDesk(Sessions sessions, SignInLog log, Clock clock) {}

    void addTo(HttpSecurity http) throws Exception {
        DefaultOAuth2AuthorizationRequestResolver requests =
                new DefaultOAuth2AuthorizationRequestResolver(registrations, START);
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        http.oauth2Login(login -> login.loginPage("/#/sign-in")
                .clientRegistrationRepository(registrations)
                .authorizedClientRepository(new NoAuthorizedClients())
                .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests)
                        .authorizationRequestRepository(new SignInRequests()))
                .successHandler(this::succeeded)
                .failureHandler(SingleSignOn::failed)
                .addObjectPostProcessor(new ProviderDown()));
    }

    /** A provider that does not answer is no error of Slipway. */
    private static final class ProviderDown implements ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter> {
        @Override
        public <O extends OAuth2AuthorizationRequestRedirectFilter> O postProcess(O filter) {
            filter.setAuthenticationFailureHandler(SingleSignOn::failed);
            return filter;
        }
    }

    @Override
    public List<Provider> all() {
        return properties.getRegistration().entrySet().stream()
                .map(entry -> new Provider(
                        entry.getKey(),
                        Optional.ofNullable(entry.getValue().getClientName()).orElse(entry.getKey()),
                        START + "/" + entry.getKey()))
                .sorted(Comparator.comparing(Provider::title))
                .toList();
    }

    @Override
    public Optional<URI> signOut(SignedIn who, HttpServletRequest request) {
        if (who.person().provider() == null) {
            return Optional.empty();
        }
        ClientRegistration registration =
                registrations.findByRegistrationId(who.person().provider());
        Object end = registration == null
                ? null
                : registration.getProviderDetails().getConfigurationMetadata().get("end_session_endpoint");
        if (end == null) {
            return Optional.empty();
        }
        String home =
                ServletUriComponentsBuilder.fromContextPath(request).path("/").toUriString();
        return Optional.of(UriComponentsBuilder.fromUriString(String.valueOf(end))
                .queryParam("id_token_hint", who.person().idToken())
                .queryParam("post_logout_redirect_uri", home)
                .encode()
                .build()
                .toUri());
    }

    private void succeeded(HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        String back = SignInRequests.wayBack(request);
        try {
            if (!(authentication instanceof OAuth2AuthenticationToken token)
                    || !(token.getPrincipal() instanceof OidcUser user)) {
                throw new OAuth2AuthenticationException("no_id_token");
            }
            SignedIn who = people.of(user, token.getAuthorizedClientRegistrationId(), clock.instant());
            sessions.begin(who, request, response);
            log.signedIn(request, who);
        } catch (AuthenticationException e) {
            sessions.end(request);
            failed(request, response, e);
            return;
        }
        response.sendRedirect(request.getContextPath() + back);
    }

    private static void failed(HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
            throws IOException {
        LOG.warn("Sign-in at a provider failed: {}", e.getMessage());
        response.sendRedirect(request.getContextPath() + FAILED);
    }
}
