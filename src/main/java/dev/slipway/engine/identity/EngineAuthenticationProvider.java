package dev.slipway.engine.identity;

import java.util.List;
import org.camunda.bpm.engine.IdentityService;
import org.camunda.bpm.engine.identity.Group;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.stereotype.Component;

/**
 * Checks user and password against the engine; the engine's groups become authorities.
 *
 * <p>After a wrong password the engine refuses that user for some seconds, longer each time. Nobody can tell from the
 * answer whether the user exists, is locked, or the password is wrong.
 */
@Component
class EngineAuthenticationProvider implements AuthenticationProvider {

    private final IdentityService identity;

    EngineAuthenticationProvider(IdentityService identity) {
        this.identity = identity;
    }

    @Override
    public Authentication authenticate(Authentication authentication) {
        String user = authentication.getName();
        Object credentials = authentication.getCredentials();
        boolean right =
                !user.isEmpty() && credentials != null && identity.checkPassword(user, String.valueOf(credentials));
        if (!right) {
            throw new BadCredentialsException("Unknown user, wrong password, or locked for some seconds");
        }
        List<GrantedAuthority> authorities = identity.createGroupQuery().groupMember(user).list().stream()
                .map(Group::getId)
                .<GrantedAuthority>map(SimpleGrantedAuthority::new)
                .toList();
        return UsernamePasswordAuthenticationToken.authenticated(user, null, authorities);
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
