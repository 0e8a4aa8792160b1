package dev.slipway.api;

import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The console's scripts and styles, which browsers may keep.
 *
 * <p>Their names have a hash of their content; the page that names them is asked for each time. What is kept stays with
 * the browser: proxies must not hand it to people who are not signed in.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleResources implements WebMvcConfigurer {

    private static final Duration KEPT = Duration.ofDays(365);

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/**")
                .addResourceLocations("classpath:/static/assets/")
                .setCacheControl(CacheControl.maxAge(KEPT).cachePrivate().immutable());
    }
}
