package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** How the REST API reads and writes JSON, and how it describes itself. */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {

    private static final String BASIC = "basic";
    private static final String BEARER = "bearer";
    private static final String COOKIE = "session";

    /** A misspelt field is an error, not a wish that is quietly ignored; absent values are left out. */
    @Override
    public void extendMessageConverters(List<HttpMessageConverter<?>> converters) {
        for (HttpMessageConverter<?> converter : converters) {
            if (converter instanceof MappingJackson2HttpMessageConverter json) {
                ObjectMapper mapper = json.getObjectMapper()
                        .copy()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .setSerializationInclusion(JsonInclude.Include.NON_NULL);
                refuseOtherTypes(mapper);
                json.setObjectMapper(mapper);
            }
        }
    }

    /** A number where a text belongs, or a text where a flag belongs, is a mistake. */
    private static void refuseOtherTypes(ObjectMapper mapper) {
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
        }
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.String)) {
            mapper.coercionConfigFor(LogicalType.Boolean).setCoercion(shape, CoercionAction.Fail);
        }
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new CheckedParameters()).addPathPatterns("/api/**");
    }

    /**
     * Answers that did not change are not sent again: 304 to a request with If-None-Match.
     *
     * <p>Weak tags: proxies, and the server itself, may compress. Streams are left alone.
     */
    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> etags() {
        ShallowEtagHeaderFilter filter = new ShallowEtagHeaderFilter() {
            @Override
            protected boolean shouldNotFilter(HttpServletRequest request) {
                return !HttpMethod.GET.matches(request.getMethod())
                        || request.getRequestURI().endsWith(EventsController.PATH);
            }
        };
        filter.setWriteWeakETag(true);
        FilterRegistrationBean<ShallowEtagHeaderFilter> registration = new FilterRegistrationBean<>(filter);
        registration.addUrlPatterns("/api/v1/*");
        return registration;
    }

    /** After security, which says who asks. */
    @Bean
    FilterRegistrationBean<IdempotencyFilter> idempotency(
            IdempotencyStore store,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems,
            Clock clock) {
        FilterRegistrationBean<IdempotencyFilter> registration =
                new FilterRegistrationBean<>(new IdempotencyFilter(store, problems, clock));
        registration.addUrlPatterns("/api/v1/*");
        return registration;
    }

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Slipway")
                        .version("v1")
                        .description("Runs the life of Kubernetes workload clusters as flows. Errors are RFC 9457"
                                + " problems with code, object, field and remedy.")
                        .license(new License().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0")))
                .components(new Components()
                        .addSecuritySchemes(
                                BASIC,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("basic")
                                        .description("A user of the engine; for scripts"))
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("A token of the management cluster; its rights on workloadclusters"
                                                + " count"))
                        .addSecuritySchemes(
                                COOKIE,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.APIKEY)
                                        .in(SecurityScheme.In.COOKIE)
                                        .name("SESSION")
                                        .description(
                                                "After POST /api/v1/session; changes need the header of its csrf")))
                .addSecurityItem(new SecurityRequirement().addList(BASIC))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .addSecurityItem(new SecurityRequirement().addList(COOKIE));
    }
}
