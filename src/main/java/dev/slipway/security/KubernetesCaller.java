package dev.slipway.security;

import dev.slipway.kubernetes.AccessReviews;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** Whoever sent a token of the management cluster with the request. */
final class KubernetesCaller extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final transient AccessReviews.Owner owner;
    private final transient String token;

    KubernetesCaller(AccessReviews.Owner owner, String token) {
        super(List.of());
        this.owner = owner;
        this.token = token;
        super.setAuthenticated(true);
    }

    AccessReviews.Owner owner() {
        return owner;
    }

    /** To ask again; never part of a text. */
    String token() {
        return token;
    }

    @Override
    public String getName() {
        return owner.username();
    }

    @Override
    public Object getPrincipal() {
        return owner.username();
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KubernetesCaller that && owner.equals(that.owner);
    }

    @Override
    public int hashCode() {
        return Objects.hash(owner);
    }

    @Override
    public String toString() {
        return owner.username();
    }
}
