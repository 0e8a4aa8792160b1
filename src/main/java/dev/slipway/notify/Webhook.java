package dev.slipway.notify;

import dev.slipway.notify.Delivery.Accepted;
import dev.slipway.notify.Delivery.Refused;
import dev.slipway.notify.Delivery.Unavailable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The receiver, over HTTP: one attempt at a time, with a deadline for all of it.
 *
 * <p>Redirects are not followed: the token is for the address that was configured. Nothing that it says of a failure
 * holds the token or more of the address than scheme, host and port.
 */
final class Webhook {

    private static final int ANSWER_BYTES = 1024;
    private static final int SHOWN = 200;
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7e]+");

    private final WebhookSettings settings;
    private final Clock clock;
    private final HttpClient client;

    Webhook(WebhookSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        HttpClient.Builder builder = HttpClient.newBuilder()
                // Without an upgrade to HTTP/2 that plain receivers stumble over.
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.timeout());
        if (settings.tls() != null) {
            builder.sslContext(settings.tls());
        }
        this.client = builder.build();
    }

    /**
     * Tries once.
     *
     * @param key says to the receiver which attempts are about the same thing
     * @param json what to POST
     * @throws InterruptedException when asked to stop; then nobody knows whether the receiver has it
     */
    Delivery post(String key, String json) throws InterruptedException {
        String token;
        try {
            token = token();
        } catch (IOException e) {
            return new Unavailable(e.getMessage() == null ? "the token cannot be read" : e.getMessage(), Duration.ZERO);
        }
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(key, json, token), head -> new FirstBytes(ANSWER_BYTES));
        try {
            // The request's own timeout ends with the headers: a body could go on for ever.
            return classify(answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS), token);
        } catch (TimeoutException e) {
            return unreached(e, token);
        } catch (ExecutionException e) {
            return unreached(e.getCause() == null ? e : e.getCause(), token);
        } finally {
            answer.cancel(true);
        }
    }

    private HttpRequest request(String key, String json, @Nullable String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.target())
                .timeout(settings.timeout())
                .header("Content-Type", "application/json")
                .header("User-Agent", "slipway")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(json));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return request.build();
    }

    private @Nullable String token() throws IOException {
        Path file = settings.tokenFile();
        if (file == null) {
            return null;
        }
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("the token in " + file + " cannot be read", e);
        }
        // Checked here: the HTTP client would put what it does not like into its exception.
        if (!VISIBLE_ASCII.matcher(token).matches()) {
            throw new IOException(file + " does not hold one token on one line");
        }
        return token;
    }

    private Delivery classify(HttpResponse<String> answer, @Nullable String token) {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            return new Accepted();
        }
        String why = settings.origin() + " answered " + status + quoted(answer.body(), token);
        if (status == 408 || status == 429 || status >= 500) {
            return new Unavailable(why, retryAfter(answer));
        }
        return new Refused(why);
    }

    private Duration retryAfter(HttpResponse<String> answer) {
        Duration asked = answer.headers()
                .firstValue("Retry-After")
                .map(String::strip)
                .map(this::retryAfter)
                .orElse(Duration.ZERO);
        return asked.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : asked;
    }

    private Duration retryAfter(String header) {
        try {
            if (header.matches("\\d{1,9}")) {
                return Duration.ofSeconds(Long.parseLong(header));
            }
            ZonedDateTime date = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME);
            Duration until = Duration.between(clock.instant(), date.toInstant());
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeException e) {
            // A header that nobody can read is as good as none.
            return Duration.ZERO;
        }
    }

    private Delivery unreached(Throwable failure, @Nullable String token) {
        return new Unavailable(settings.origin() + " " + cause(failure, token), Duration.ZERO);
    }

    private String cause(Throwable failure, @Nullable String token) {
        if (failure instanceof TimeoutException || failure instanceof HttpTimeoutException) {
            return "did not answer within " + settings.timeout().toMillis() + " ms";
        }
        if (failure instanceof ConnectException) {
            return failure.getCause() instanceof UnresolvedAddressException
                            || (failure.getCause() != null
                                    && failure.getCause().getCause() instanceof UnresolvedAddressException)
                    ? "is no known host"
                    : "cannot be reached";
        }
        if (failure instanceof SSLException) {
            return "failed at TLS" + quoted(String.valueOf(failure.getMessage()), token);
        }
        return "broke the connection" + quoted(String.valueOf(failure.getMessage()), token);
    }

    /** What the other side said, short, on one line, without what must stay secret. */
    private String quoted(String text, @Nullable String token) {
        String safe = token == null ? text : text.replace(token, "***");
        String path = settings.target().getRawPath();
        if (path.length() > 1) {
            safe = safe.replace(path, "/***");
        }
        String query = settings.target().getRawQuery();
        if (query != null) {
            safe = safe.replace(query, "***");
        }
        safe = safe.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        if (safe.isEmpty()) {
            return "";
        }
        return ": " + (safe.length() <= SHOWN ? safe : safe.substring(0, SHOWN) + "…");
    }
}
