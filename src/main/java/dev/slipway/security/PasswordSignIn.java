package dev.slipway.security;

import dev.slipway.engine.identity.EngineAccounts;
import dev.slipway.engine.identity.EngineAccounts.Account;
import java.time.Clock;
import java.util.Optional;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.stereotype.Component;

/** Checks name and password against the engine's users, at the pace that {@link SignInGuard} allows. */
@Component
class PasswordSignIn implements AuthenticationProvider {

    /** The engine's own limit. */
    private static final int LONGEST_NAME = 255;

    private final EngineAccounts accounts;
    private final SignInGuard guard;
    private final Clock clock;

    PasswordSignIn(EngineAccounts accounts, SignInGuard guard, Clock clock) {
        this.accounts = accounts;
        this.guard = guard;
        this.clock = clock;
    }

    @Override
    public Authentication authenticate(Authentication asked) {
        return signIn(asked);
    }

    /**
     * Checks name and password.
     *
     * @throws TooManyAttempts if that name or address must wait
     * @throws BadCredentialsException if there is no such user with that password
     */
    SignedIn signIn(Authentication asked) {
        String name = asked.getName();
        String address = asked.getDetails() instanceof WebAuthenticationDetails details
                ? String.valueOf(details.getRemoteAddress())
                : "";
        Object password = asked.getCredentials();
        guard.check(name, address);
        Optional<Account> account = name.length() > LONGEST_NAME || password == null
                ? Optional.empty()
                : accounts.verify(name, String.valueOf(password));
        if (account.isEmpty()) {
            guard.failed(name, address);
            throw new BadCredentialsException("Unknown user or wrong password");
        }
        guard.succeeded(name, address);
        Account found = account.get();
        SignedIn.Person person = SignedIn.Person.withPassword(found.name(), found.displayName(), found.stamp());
        return new SignedIn(person, Via.BASIC, clock.instant(), found.groups());
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
