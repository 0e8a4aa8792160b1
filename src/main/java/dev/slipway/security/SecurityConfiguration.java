package dev.slipway.security;

import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Who may ask for what.
 *
 * <ul>
 *   <li>{@code /camunda}: the webapps sign people in themselves, with a session and their own CSRF filter.
 *   <li>{@code /engine-rest}: HTTP Basic here, then the engine's own authorizations.
 *   <li>Everything else: HTTP Basic without a session. Reading needs a user, changing an operator, and the actuator an
 *       administrator; only the health probes are open.
 * </ul>
 */
@Configuration(proxyBeanMethods = false)
public class SecurityConfiguration {

    private static final String OPERATORS = "operators";
    private static final String ADMINS = "camunda-admin";
    private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final String[] OPEN = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"
    };

    private final ProblemWriter problems = new ProblemWriter();

    /** The webapps. */
    @Bean
    @Order(1)
    SecurityFilterChain webapps(HttpSecurity http) throws Exception {
        return http.securityMatcher(under("/camunda"))
                .csrf(AbstractHttpConfigurer::disable)
                .headers(headers -> headers.frameOptions(HeadersConfigurer.FrameOptionsConfig::sameOrigin)
                        .cacheControl(HeadersConfigurer.CacheControlConfig::disable))
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    /** The engine's REST API. */
    @Bean
    @Order(2)
    SecurityFilterChain engineRest(HttpSecurity http) throws Exception {
        return basic(http.securityMatcher(under("/engine-rest")))
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .build();
    }

    /** The REST API, the console, the API description, the actuator. */
    @Bean
    @Order(3)
    SecurityFilterChain own(HttpSecurity http) throws Exception {
        return basic(http)
                .headers(headers -> headers.contentSecurityPolicy(csp -> csp.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                        .permissionsPolicyHeader(permissions ->
                                permissions.policy("camera=(), geolocation=(), microphone=(), payment=()")))
                .authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD)
                                .permitAll()
                                .requestMatchers(OPEN)
                                .permitAll()
                                .requestMatchers("/actuator/**")
                                .hasAuthority(ADMINS)
                                .requestMatchers(HttpMethod.GET, "/**")
                                .authenticated()
                                .anyRequest()
                                .hasAnyAuthority(OPERATORS, ADMINS))
                .build();
    }

    /**
     * Matches a path and all below it as the container resolved it.
     *
     * <p>Spring's own string matchers miss servlets other than Spring's: the engine's REST API is one.
     */
    private static RequestMatcher under(String prefix) {
        return request -> {
            String info = request.getPathInfo();
            String path = request.getServletPath() + (info == null ? "" : info);
            return path.equals(prefix) || path.startsWith(prefix + "/");
        };
    }

    private HttpSecurity basic(HttpSecurity http) throws Exception {
        return http.csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .addFilterBefore(new CrossSiteFilter(problems), BasicAuthenticationFilter.class)
                .httpBasic(basic -> basic.authenticationEntryPoint(
                        (request, response, failure) -> problems.unauthorized(request, response)))
                .exceptionHandling(handling -> handling.authenticationEntryPoint(
                                (request, response, failure) -> problems.unauthorized(request, response))
                        .accessDeniedHandler((request, response, failure) ->
                                problems.forbidden(request, response, "NotAllowed", "This user may not do that")));
    }
}
