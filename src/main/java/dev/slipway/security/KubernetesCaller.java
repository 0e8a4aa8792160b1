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

    KubernetesCaller(AccessReviews.Owner owner) {
        super(List.of());
        this.owner = owner;
        super.setAuthenticated(true);
    }

    AccessReviews.Owner owner() {
        return owner;
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
}
