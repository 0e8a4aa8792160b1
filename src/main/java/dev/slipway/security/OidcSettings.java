package dev.slipway.security;

import jakarta.validation.constraints.NotEmpty;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What a provider of single sign-on says about people. The providers themselves are {@code spring.security.oauth2.client.*}.
 *
 * @param userClaim the claim with the name for records
 * @param userPrefix put before that name, so that nobody is taken for a user of the engine
 * @param groupsClaim the claim with the groups; a dot leads into an object
 * @param roles which groups make somebody viewer, operator, designer or admin
 */
@Validated
@ConfigurationProperties("slipway.security.oidc")
public record OidcSettings(
        @DefaultValue("preferred_username") @NotEmpty String userClaim,
        @DefaultValue("oidc:") String userPrefix,
        @DefaultValue("groups") @NotEmpty String groupsClaim,
        @DefaultValue Map<Role, List<String>> roles) {}
