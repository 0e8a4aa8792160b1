package dev.slipway.api;

import dev.slipway.api.IdempotencyStore.Answer;
import dev.slipway.api.IdempotencyStore.Entry;
import dev.slipway.audit.AuditOrigins;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Carries a POST with an {@code Idempotency-Key} out once: whoever asks the same again gets the first answer again.
 *
 * <p>Only answers that tell of success are kept. Of the request nothing is kept but its hash.
 */
final class IdempotencyFilter extends OncePerRequestFilter {

    static final String KEY = "Idempotency-Key";
    static final String REPLAYED = "Idempotent-Replayed";

    private static final Pattern KEYS = Pattern.compile("[\\x21-\\x7e]{1,128}");
    /** Longer than any request takes: whoever had the right then died. */
    private static final Duration DEAD = Duration.ofMinutes(2);

    private static final int LONGEST_REQUEST = 1024 * 1024;
    private static final int LONGEST_ANSWER = 1_000_000;

    private final IdempotencyStore store;
    private final HandlerExceptionResolver problems;
    private final Clock clock;

    IdempotencyFilter(IdempotencyStore store, HandlerExceptionResolver problems, Clock clock) {
        this.store = store;
        this.problems = problems;
        this.clock = clock;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !HttpMethod.POST.matches(request.getMethod())
                || request.getHeader(KEY) == null
                || request.getUserPrincipal() == null
                || request.getRequestURI().endsWith("/session");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            String key = request.getHeader(KEY);
            if (!KEYS.matcher(key).matches()) {
                throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The header " + KEY + " cannot be used")
                        .field(KEY)
                        .remedy("Use 1 to 128 printable ASCII characters without spaces, for example a UUID");
            }
            byte[] body = request.getInputStream().readNBytes(LONGEST_REQUEST + 1);
            if (body.length > LONGEST_REQUEST) {
                throw new ApiProblem(HttpStatus.PAYLOAD_TOO_LARGE, "TooLarge", "The body is longer than 1 MiB")
                        .remedy("Send less");
            }
            once(new BodyRequest(request, body), response, chain, new Ticket(id(request, key), hash(request, body)));
        } catch (ApiProblem problem) {
            problems.resolveException(request, response, null, problem);
        }
    }

    /** What a request is known by. */
    private record Ticket(String id, String requestHash) {}

    private void once(BodyRequest request, HttpServletResponse response, FilterChain chain, Ticket ticket)
            throws ServletException, IOException {
        String claim = UUID.randomUUID().toString();
        if (!store.claim(ticket.id(), ticket.requestHash(), claim)) {
            Optional<Entry> first = store.find(ticket.id());
            if (first.isPresent() && !first.get().requestHash().equals(ticket.requestHash())) {
                throw new ApiProblem(
                                HttpStatus.UNPROCESSABLE_ENTITY,
                                "IdempotencyKeyReused",
                                "This key was used for another request")
                        .field(KEY)
                        .remedy("Use a new key for each thing that shall be done, and the same only to ask again");
            }
            Answer known = first.map(Entry::answer).orElse(null);
            if (known != null) {
                replay(response, known);
                return;
            }
            boolean mine = first.isPresent()
                    && Duration.between(first.get().since(), clock.instant()).compareTo(DEAD) > 0
                    && store.takeOver(ticket.id(), first.get().claim(), claim);
            if (!mine) {
                throw new ApiProblem(
                                HttpStatus.CONFLICT,
                                "IdempotencyKeyInUse",
                                "The first request with this key is not done")
                        .field(KEY)
                        .remedy("Ask again in some seconds, with the same key");
            }
        }
        carryOut(request, response, chain, new Claimed(ticket.id(), claim));
    }

    /** A request that this one may carry out. */
    private record Claimed(String id, String claim) {}

    private void carryOut(BodyRequest request, HttpServletResponse response, FilterChain chain, Claimed claimed)
            throws ServletException, IOException {
        ContentCachingResponseWrapper answer = new ContentCachingResponseWrapper(response);
        boolean kept = false;
        try {
            chain.doFilter(request, answer);
            if (HttpStatus.valueOf(answer.getStatus()).is2xxSuccessful()) {
                String body = new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8);
                if (body.length() <= LONGEST_ANSWER) {
                    store.done(
                            claimed.id(),
                            claimed.claim(),
                            new Answer(
                                    answer.getStatus(),
                                    answer.getHeader(HttpHeaders.LOCATION),
                                    answer.getContentType(),
                                    body));
                    kept = true;
                }
            }
        } finally {
            if (!kept) {
                store.release(claimed.id(), claimed.claim());
            }
        }
        answer.copyBodyToResponse();
    }

    private static void replay(HttpServletResponse response, Answer known) throws IOException {
        response.setStatus(known.status());
        response.setHeader(REPLAYED, "true");
        if (known.location() != null) {
            response.setHeader(HttpHeaders.LOCATION, known.location());
        }
        if (known.contentType() != null) {
            response.setContentType(known.contentType());
        }
        response.getOutputStream()
                .write(Objects.requireNonNullElse(known.body(), "").getBytes(StandardCharsets.UTF_8));
    }

    private static String id(HttpServletRequest request, String key) {
        @Nullable Principal user = request.getUserPrincipal();
        boolean token = "kubernetes".equals(request.getAttribute(AuditOrigins.VIA));
        return digest(
                token ? "kubernetes" : "user",
                user == null ? "" : user.getName(),
                request.getMethod(),
                request.getRequestURI(),
                key);
    }

    private static String hash(HttpServletRequest request, byte[] body) {
        return digest(
                Objects.requireNonNullElse(request.getQueryString(), ""),
                Objects.requireNonNullElse(request.getContentType(), ""),
                HexFormat.of().formatHex(sha256().digest(body)));
    }

    private static String digest(String... parts) {
        MessageDigest digest = sha256();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
