package dev.slipway.engine.identity;

import org.camunda.bpm.engine.rest.security.auth.ProcessEngineAuthenticationFilter;
import org.camunda.bpm.engine.rest.security.auth.impl.HttpBasicAuthenticationProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tells the engine who calls its REST API, so that its authorizations apply.
 *
 * <p>That nobody gets so far without signing in is the security filter chain's business: the engine's own filter
 * leaves {@code /engine-rest/engine} open.
 */
@Configuration(proxyBeanMethods = false)
class EngineRestIdentity {

    @Bean
    FilterRegistrationBean<ProcessEngineAuthenticationFilter> engineRestAuthentication() {
        FilterRegistrationBean<ProcessEngineAuthenticationFilter> registration =
                new FilterRegistrationBean<>(new ProcessEngineAuthenticationFilter());
        registration.setName("engine-rest-authentication");
        registration.addInitParameter("authentication-provider", HttpBasicAuthenticationProvider.class.getName());
        registration.addUrlPatterns("/engine-rest/*");
        registration.setAsyncSupported(true);
        return registration;
    }
}
