package dev.slipway.security;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Signs people in and out, and says who is signed in. */
@RestController
@RequestMapping(path = "/api/v1", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Session", description = "Who is signed in, and what they may do")
class SessionController {

    private final PasswordSignIn passwords;
    private final Sessions sessions;
    private final Rights rights;
    private final SignInLog log;
    private final Providers providers;

    SessionController(
            PasswordSignIn passwords,
            Sessions sessions,
            Rights rights,
            SignInLog log,
            ObjectProvider<SingleSignOn> singleSignOn) {
        this.passwords = passwords;
        this.sessions = sessions;
        this.rights = rights;
        this.log = log;
        SingleSignOn configured = singleSignOn.getIfAvailable();
        this.providers = configured == null ? Providers.NONE : configured;
    }

    /**
     * Who wants to sign in.
     *
     * @param name the user
     * @param password the user's password
     */
    @Schema(name = "SignIn")
    record SignIn(
            @Schema(example = "ada", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String name,
            @Schema(example = "only an example", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
                    String password) {

        @Override
        public String toString() {
            return "SignIn[" + name + "]";
        }
    }

    /**
     * How people may sign in.
     *
     * @param password whether with name and password
     * @param providers where else
     */
    @Schema(name = "SignInOptions")
    record SignInOptions(boolean password, List<Providers.Provider> providers) {}

    @Operation(summary = "List ways to sign in", description = "Open to everybody.")
    @ApiResponse(responseCode = "200", description = "The ways")
    @SecurityRequirements
    @GetMapping("/sign-in")
    SignInOptions options() {
        return new SignInOptions(true, providers.all());
    }

    @Operation(
            summary = "Sign in",
            description = "Begins a session with a cookie, for browsers. Programs send HTTP Basic or a token instead.")
    @ApiResponse(responseCode = "200", description = "Signed in")
    @ApiResponse(responseCode = "401", description = "Unknown user or wrong password", content = @Content)
    @ApiResponse(
            responseCode = "429",
            description = "Too many failed attempts; Retry-After says for how many seconds",
            content = @Content)
    @SecurityRequirements
    @PostMapping(path = "/session", consumes = MediaType.APPLICATION_JSON_VALUE)
    SessionInfo signIn(
            @RequestBody SignIn body,
            @Parameter(hidden = true) HttpServletRequest request,
            @Parameter(hidden = true) HttpServletResponse response) {
        String name = body.name() == null ? "" : body.name();
        UsernamePasswordAuthenticationToken asked =
                UsernamePasswordAuthenticationToken.unauthenticated(name, body.password());
        asked.setDetails(new WebAuthenticationDetails(request));
        SignedIn who;
        try {
            who = passwords.signIn(asked).with(Via.SESSION);
        } catch (BadCredentialsException e) {
            log.failed(request, name, Via.SESSION);
            throw e;
        }
        CsrfToken token = sessions.begin(who, request, response);
        log.signedIn(request, who);
        new XorCsrfTokenRequestAttributeHandler().handle(request, response, () -> token);
        return info(who, "", request);
    }

    @Operation(summary = "Show the session", description = "Who is signed in, by whatever way, and what they may do.")
    @ApiResponse(responseCode = "200", description = "Who is signed in")
    @ApiResponse(responseCode = "401", description = "Nobody is signed in", content = @Content)
    @GetMapping("/session")
    SessionInfo show(
            @Parameter(description = "For tokens of the management cluster: what they may do there")
                    @RequestParam(defaultValue = "")
                    String namespace,
            @Parameter(hidden = true) HttpServletRequest request) {
        return info(SecurityContextHolder.getContext().getAuthentication(), namespace, request);
    }

    @Operation(
            summary = "Sign out",
            description = "Ends the session. If the provider of single sign-on offers to end its own as well, the"
                    + " header Location says where: send the browser there.")
    @ApiResponse(responseCode = "204", description = "Signed out; also if nobody was signed in")
    @DeleteMapping("/session")
    ResponseEntity<Void> signOut(@Parameter(hidden = true) HttpServletRequest request) {
        Optional<URI> further = Optional.empty();
        if (SecurityContextHolder.getContext().getAuthentication() instanceof SignedIn who && who.via() != Via.BASIC) {
            further = providers.signOut(who, request);
            log.signedOut(who);
        }
        sessions.end(request);
        ResponseEntity.HeadersBuilder<?> answer = ResponseEntity.noContent();
        further.ifPresent(uri -> answer.header("Location", uri.toString()));
        return answer.build();
    }

    private SessionInfo info(Authentication who, String namespace, HttpServletRequest request) {
        Caller caller = Caller.of(who).orElseThrow();
        boolean cookie = who instanceof SignedIn && caller.via() != Via.BASIC;
        CsrfToken token = cookie ? Sessions.csrfOf(request) : null;
        Set<Role> roles = caller.roles();
        return new SessionInfo(
                caller.name(),
                caller.displayName(),
                Arrays.stream(Role.values())
                        .filter(roles::contains)
                        .map(Role::text)
                        .toList(),
                Arrays.stream(Action.values())
                        .filter(action -> rights.may(who, List.of(action), Target.cluster(namespace, "")))
                        .toList(),
                caller.via().text(),
                token == null ? null : new SessionInfo.Csrf(Sessions.CSRF_HEADER, token.getToken()),
                cookie ? sessions.expires((SignedIn) who) : null);
    }
}
