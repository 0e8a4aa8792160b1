package dev.slipway.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.filter.OrderedRequestContextFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Who may ask for what, and how they say who they are.
 *
 * <ul>
 *   <li>{@code /camunda}: the session of the console; the webapps keep their own CSRF filter.
 *   <li>{@code /engine-rest}: HTTP Basic, then the engine's own authorizations.
 *   <li>The console's page and its files: open. They hold nothing, and show the sign-in.
 *   <li>Requests with the header {@code Authorization}: HTTP Basic or a token of the management cluster; no session.
 *   <li>All others: a session, with a token against forged requests.
 * </ul>
 */
@Configuration(proxyBeanMethods = false)
public class SecurityConfiguration {

    private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final String[] HEALTH = {
        "/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"
    };
    private static final String[] PAGE = {"/", "/index.html", "/assets/**", "/favicon.svg", "/favicon.ico"};
    private static final String SESSION = "/api/v1/session";
    private static final String SIGN_IN = "/api/v1/sign-in";

    private final Refusals refusals;
    private final Sessions sessions;
    private final ApiRules api;

    SecurityConfiguration(Refusals refusals, Sessions sessions, ApiRules api) {
        this.refusals = refusals;
        this.sessions = sessions;
        this.api = api;
    }

    /** Before the security filters, not only before the engine's REST API: they note who signs in from where. */
    @Bean
    OrderedRequestContextFilter requestContextFilter() {
        return new OrderedRequestContextFilter();
    }

    /** The webapps. */
    @Bean
    @Order(1)
    SecurityFilterChain webapps(HttpSecurity http, SignInLog log) throws Exception {
        return sessions(http.securityMatcher(under("/camunda")))
                .csrf(AbstractHttpConfigurer::disable)
                .headers(headers -> headers.frameOptions(HeadersConfigurer.FrameOptionsConfig::sameOrigin)
                        .cacheControl(HeadersConfigurer.CacheControlConfig::disable))
                .addFilterAfter(new WebappSignOut(sessions, log, refusals), SessionFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().access(RoleRules.any(Action.READ)))
                .build();
    }

    /** The engine's REST API. */
    @Bean
    @Order(2)
    SecurityFilterChain engineRest(HttpSecurity http) throws Exception {
        return stateless(http.securityMatcher(under("/engine-rest")))
                .authorizeHttpRequests(requests -> requests.anyRequest().access(RoleRules.any(Action.READ)))
                .build();
    }

    /** The console's page. */
    @Bean
    @Order(3)
    SecurityFilterChain page(HttpSecurity http) throws Exception {
        return headers(http.securityMatcher(PAGE))
                .csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                        .permitAll()
                        .requestMatchers(HttpMethod.HEAD)
                        .permitAll()
                        .anyRequest()
                        .denyAll())
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
                .build();
    }

    /** The REST API, its description and the actuator, for programs. */
    @Bean
    @Order(4)
    SecurityFilterChain programs(HttpSecurity http, KubernetesRights kubernetes, SignInGuard guard) throws Exception {
        return headers(stateless(http.securityMatcher(request -> request.getHeader(HttpHeaders.AUTHORIZATION) != null)))
                .addFilterBefore(new BearerFilter(kubernetes, guard, refusals), BasicAuthenticationFilter.class)
                .authorizeHttpRequests(this::rules)
                .build();
    }

    /** The same for browsers. */
    @Bean
    @Order(5)
    SecurityFilterChain browsers(HttpSecurity http, ObjectProvider<SingleSignOn> singleSignOn) throws Exception {
        headers(sessions(http))
                .csrf(csrf -> csrf.csrfTokenRepository(sessions.csrf())
                        .csrfTokenRequestHandler(new XorCsrfTokenRequestAttributeHandler())
                        .requireCsrfProtectionMatcher(SecurityConfiguration::needsToken))
                .authorizeHttpRequests(this::rules);
        SingleSignOn configured = singleSignOn.getIfAvailable();
        if (configured != null) {
            configured.addTo(http);
        }
        return http.build();
    }

    private void rules(
            AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry requests) {
        requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD, DispatcherType.ASYNC)
                .permitAll()
                .requestMatchers(HEALTH)
                .permitAll()
                .requestMatchers(HttpMethod.GET, SIGN_IN)
                .permitAll()
                .requestMatchers(HttpMethod.POST, SESSION)
                .permitAll()
                .requestMatchers(HttpMethod.DELETE, SESSION)
                .permitAll()
                .requestMatchers(SESSION)
                .authenticated()
                .requestMatchers("/api/**")
                .access(api)
                .requestMatchers("/actuator/**")
                .access(RoleRules.any(Action.ADMIN))
                .requestMatchers(HttpMethod.GET, "/v3/api-docs/**", "/swagger-ui/**", "/swagger-ui.html")
                .authenticated()
                .anyRequest()
                .access(RoleRules.any(Action.READ));
    }

    /** Changes of a session; beginning one anew needs none, and is refused to other sites' pages. */
    private static boolean needsToken(HttpServletRequest request) {
        return CsrfFilter.DEFAULT_CSRF_MATCHER.matches(request)
                && request.getSession(false) != null
                && !("POST".equals(request.getMethod()) && SESSION.equals(request.getServletPath()));
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

    private HttpSecurity sessions(HttpSecurity http) throws Exception {
        return http.securityContext(context -> context.securityContextRepository(sessions.contexts()))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .addFilterAfter(new SessionFilter(sessions), SecurityContextHolderFilter.class)
                .addFilterBefore(new CrossSiteFilter(refusals), CsrfFilter.class)
                .addFilterBefore(new OriginFilter(), AuthorizationFilter.class)
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refusals).accessDeniedHandler(refusals));
    }

    private HttpSecurity stateless(HttpSecurity http) throws Exception {
        return http.csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .addFilterBefore(new CrossSiteFilter(refusals), BasicAuthenticationFilter.class)
                .addFilterBefore(new OriginFilter(), AuthorizationFilter.class)
                .httpBasic(basic -> basic.authenticationEntryPoint(refusals))
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refusals).accessDeniedHandler(refusals));
    }

    private static HttpSecurity headers(HttpSecurity http) throws Exception {
        return http.headers(
                headers -> headers.contentSecurityPolicy(csp -> csp.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                        .crossOriginOpenerPolicy(opener -> opener.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
                        .crossOriginResourcePolicy(resource -> resource.policy(CrossOriginResourcePolicy.SAME_ORIGIN))
                        .permissionsPolicyHeader(permissions ->
                                permissions.policy("camera=(), geolocation=(), microphone=(), payment=()")));
    }
}
