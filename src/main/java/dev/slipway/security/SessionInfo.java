package dev.slipway.security;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in, and what they may do.
 *
 * @param name the name that records carry
 * @param displayName the name for people
 * @param roles what they are in Slipway
 * @param actions what they may do; of a token, in the namespace that was asked about
 * @param via how they signed in
 * @param csrf what changes must carry; only for sessions with a cookie
 * @param expiresAt when the session ends if nothing more is asked; only for sessions with a cookie
 */
@Schema(name = "Session")
record SessionInfo(
        @Schema(example = "ada") String name,
        @Schema(example = "Ada Lovelace") String displayName,
        @Schema(example = "[\"operator\"]") List<String> roles,
        @Schema(example = "[\"READ\", \"CREATE\", \"OPERATE\", \"DELETE\"]") List<Action> actions,
        @Schema(description = "session, oidc, basic or kubernetes", example = "session") String via,
        @Nullable Csrf csrf,
        @Nullable Instant expiresAt) {

    /**
     * What changes must carry.
     *
     * @param header the header's name
     * @param token its value
     */
    @Schema(name = "CsrfToken")
    record Csrf(
            @Schema(example = "X-CSRF-Token") String header,
            @Schema(description = "Another text in each answer; all of one session are good") String token) {}
}
