package dev.slipway.security;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;

/**
 * Somebody who signed in with a password or at a provider.
 *
 * <p>Sessions hold it in the database: texts and times only, never a password.
 */
final class SignedIn extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final Person person;
    private final Via via;
    private final Instant since;

    /**
     * Who it is.
     *
     * @param name the name for records
     * @param displayName the name for people
     * @param stamp changes when the password does; empty for people of a provider
     * @param provider the provider's registration; null for a password
     * @param idToken what the provider said; null for a password
     */
    record Person(String name, String displayName, String stamp, @Nullable String provider, @Nullable String idToken)
            implements java.io.Serializable {

        private static final long serialVersionUID = 1L;

        static Person withPassword(String name, String displayName, String stamp) {
            return new Person(name, displayName, stamp, null, null);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    SignedIn(Person person, Via via, Instant since, Collection<String> groups) {
        super(AuthorityUtils.createAuthorityList(List.copyOf(groups)));
        this.person = person;
        this.via = via;
        this.since = since;
        super.setAuthenticated(true);
    }

    Person person() {
        return person;
    }

    Via via() {
        return via;
    }

    Instant since() {
        return since;
    }

    List<String> groups() {
        return getAuthorities().stream().map(GrantedAuthority::getAuthority).toList();
    }

    Set<Role> roles() {
        return Role.ofGroups(groups());
    }

    SignedIn with(Via otherVia) {
        return new SignedIn(person, otherVia, since, groups());
    }

    SignedIn with(Collection<String> otherGroups) {
        return new SignedIn(person, via, since, otherGroups);
    }

    @Override
    public String getName() {
        return person.name();
    }

    @Override
    public Object getPrincipal() {
        return person.name();
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SignedIn that
                && person.equals(that.person)
                && via == that.via
                && since.equals(that.since)
                && groups().equals(that.groups());
    }

    @Override
    public int hashCode() {
        return Objects.hash(person, via, since);
    }

    @Override
    public String toString() {
        return person.name() + " via " + via.text();
    }
}
