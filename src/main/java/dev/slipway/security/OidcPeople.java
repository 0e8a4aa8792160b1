package dev.slipway.security;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/** Reads people out of what a provider says: their names, and the roles that their groups give. */
final class OidcPeople {

    /** What records and the engine can hold. */
    private static final int LONGEST_NAME = 255;

    private final OidcSettings settings;

    OidcPeople(OidcSettings settings) {
        this.settings = settings;
    }

    /**
     * Who it is.
     *
     * @param provider the registration
     * @throws OAuth2AuthenticationException if the provider does not say
     */
    SignedIn of(OidcUser user, String provider, Instant now) {
        String claimed = user.getClaimAsString(settings.userClaim());
        String name = settings.userPrefix() + (claimed == null ? "" : claimed.strip());
        if (claimed == null || claimed.isBlank() || name.length() > LONGEST_NAME) {
            throw new OAuth2AuthenticationException(
                    new OAuth2Error("no_name"),
                    "The provider " + provider + " gave no usable claim " + settings.userClaim()
                            + ": see slipway.security.oidc.user-claim");
        }
        String displayName = user.getFullName() == null || user.getFullName().isBlank() ? claimed : user.getFullName();
        SignedIn.Person person = new SignedIn.Person(
                name, displayName, "", provider, user.getIdToken().getTokenValue());
        return new SignedIn(person, Via.OIDC, now, groups(user));
    }

    /** The engine's groups that the provider's groups stand for. */
    private List<String> groups(OidcUser user) {
        Set<String> theirs = texts(claim(user.getClaims(), settings.groupsClaim()));
        return Arrays.stream(Role.values())
                .filter(role ->
                        settings.roles().getOrDefault(role, List.of()).stream().anyMatch(theirs::contains))
                .map(Role::group)
                .toList();
    }

    private static @Nullable Object claim(Map<?, ?> claims, String path) {
        Object whole = claims.get(path);
        int dot = path.indexOf('.');
        if (whole != null || dot < 0) {
            return whole;
        }
        return claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
                ? claim(inner, path.substring(dot + 1))
                : null;
    }

    private static Set<String> texts(@Nullable Object claim) {
        if (claim instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).collect(Collectors.toSet());
        }
        return claim == null ? Set.of() : Set.of(String.valueOf(claim));
    }
}
