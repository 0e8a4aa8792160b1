package dev.slipway.security;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The providers of single sign-on that are configured. */
interface Providers {

    /** Without any. */
    Providers NONE = new Providers() {
        @Override
        public List<Provider> all() {
            return List.of();
        }

        @Override
        public Optional<URI> signOut(SignedIn who, HttpServletRequest request) {
            return Optional.empty();
        }
    };

    /**
     * One of them.
     *
     * @param id the registration
     * @param title for people
     * @param href where signing in begins; takes {@code ?to=PATH} for the way back
     */
    @Schema(name = "SignInProvider")
    record Provider(
            @Schema(example = "corp") String id,
            @Schema(example = "Corporate") String title,
            @Schema(example = "/oauth2/authorization/corp") String href) {}

    /** All, in the order of their titles. */
    List<Provider> all();

    /** Where the provider's own session is ended; empty if it does not offer that. */
    Optional<URI> signOut(SignedIn who, HttpServletRequest request);
}
