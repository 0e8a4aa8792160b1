package dev.slipway.engine.identity;

import org.camunda.bpm.engine.rest.security.auth.ProcessEngineAuthenticationFilter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tells the engine who uses its REST API and its webapps, so that its authorizations apply.
 *
 * <p>That nobody gets so far without signing in is the security filter chain's business: the engine's own filter
 * leaves {@code /engine-rest/engine} open.
 */
@Configuration(proxyBeanMethods = false)
class EngineIdentities {

    @Bean
    FilterRegistrationBean<ProcessEngineAuthenticationFilter> engineRestAuthentication() {
        FilterRegistrationBean<ProcessEngineAuthenticationFilter> registration =
                new FilterRegistrationBean<>(new ProcessEngineAuthenticationFilter());
        registration.setName("engine-rest-authentication");
        registration.addInitParameter("authentication-provider", SignedInIdentity.class.getName());
        registration.addUrlPatterns("/engine-rest/*");
        registration.setAsyncSupported(true);
        return registration;
    }

    @Bean
    FilterRegistrationBean<WebappIdentity> webappAuthentication() {
        FilterRegistrationBean<WebappIdentity> registration = new FilterRegistrationBean<>(new WebappIdentity());
        registration.setName("webapp-authentication");
        registration.addInitParameter("authentication-provider", SignedInIdentity.class.getName());
        registration.addUrlPatterns("/camunda/app/*", "/camunda/api/*");
        // After Spring's filters, before the webapps' own.
        registration.setOrder(0);
        registration.setAsyncSupported(true);
        return registration;
    }
}
