package dev.slipway.platform;

import jakarta.validation.constraints.NotNull;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Whether clusters are recorded in a platform, which the import does.
 *
 * @param api {@code auto}: where the management cluster serves {@code platform.tkestack.io}; {@code required}: always, and
 *     its absence is an error; {@code off}: never
 */
@Validated
@ConfigurationProperties("slipway.platform")
public record PlatformSettings(@DefaultValue("auto") @NotNull Api api) {

    /** When the platform API is used. */
    public enum Api {
        /** Where it is served. */
        AUTO,
        /** Always; its absence is an error. */
        REQUIRED,
        /** Never, though it may be served. */
        OFF
    }
}
