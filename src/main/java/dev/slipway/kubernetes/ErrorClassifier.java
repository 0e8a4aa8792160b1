package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.phase.Failure;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The one place that turns errors and answers of an API server into classified failures. */
final class ErrorClassifier {

    private static final int LONGEST_MESSAGE = 600;
    // Server-side apply answers 500 when the object does not fit the schema: no retry will help.
    private static final String UNTYPED_APPLY = "failed to create typed patch object";

    private static final Pattern DENIED =
            Pattern.compile("admission webhook \"([^\"]+)\" denied the request|ValidatingAdmissionPolicy '([^']+)'");
    private static final Pattern NOT_CALLED = Pattern.compile("failed calling webhook \"([^\"]+)\"");

    private final Clock clock;
    private final TlsFailures tls;

    ErrorClassifier(Clock clock, TlsFailures tls) {
        this.clock = clock;
        this.tls = tls;
    }

    static ErrorClassifier standard() {
        return new ErrorClassifier(Clock.systemUTC(), new TlsFailures(Duration.ofSeconds(3)));
    }

    /** Classifies a call without an answer. */
    Failure unanswered(Operation operation, URI server, IOException e) {
        String call = "Could not " + operation.sentence() + ": ";
        if (e instanceof SSLException ssl) {
            return tls.classify(call, server, ssl);
        }
        if (Thread.currentThread().isInterrupted()) {
            return CallError.CALL_INTERRUPTED.failure(call + "the call was interrupted.", null, e);
        }
        if (e instanceof SocketTimeoutException && text(e).startsWith("Connect timed out")) {
            return CallError.API_UNREACHABLE.failure(call + server + " does not accept the connection.", null, e);
        }
        if (e instanceof InterruptedIOException) {
            return CallError.API_TIMEOUT.failure(call + server + " gave no answer in time.", null, e);
        }
        if (e instanceof UnknownHostException) {
            return CallError.API_UNREACHABLE.failure(call + "the host " + server.getHost() + " is not known.", null, e);
        }
        if (e instanceof EOFException) {
            return CallError.API_UNREACHABLE.failure(call + server + " closed the connection.", null, e);
        }
        return CallError.API_UNREACHABLE.failure(call + "no connection to " + server + " (" + text(e) + ").", null, e);
    }

    /** Classifies an answer that is not a success. 404 is the object's or the namespace's, not yet the kind's. */
    Failure refused(Operation operation, Answer answer) {
        CallError error = error(operation, answer);
        String said = said(operation, answer);
        String message = "Could not " + operation.sentence() + ": " + explain(error, answer) + said;
        return error.failure(message, retryAfter(answer), null);
    }

    private static CallError error(Operation operation, Answer answer) {
        String message = answer.message();
        if (DENIED.matcher(message).find()) {
            return CallError.ADMISSION_DENIED;
        }
        return switch (answer.code()) {
            case 401 -> CallError.UNAUTHORIZED;
            case 403 -> forbidden(answer);
            case 404 -> absent(operation, answer);
            case 409 -> conflict(answer);
            case 410 -> CallError.EXPIRED;
            case 400, 422 -> fields(answer).contains("metadata.uid") ? CallError.UID_CHANGED : CallError.INVALID_OBJECT;
            case 429 -> CallError.TOO_MANY_REQUESTS;
            default -> answer.code() >= 500 ? serverError(message) : CallError.NOT_SUPPORTED;
        };
    }

    private static CallError forbidden(Answer answer) {
        for (JsonNode cause : answer.details().path("causes")) {
            if ("NamespaceTerminating".equals(cause.path("reason").asText())) {
                return CallError.NAMESPACE_TERMINATING;
            }
        }
        if (answer.message().contains("User \"system:anonymous\"")) {
            // TLS leaves out a client certificate that no CA of the server has signed: we arrive without a name.
            return CallError.UNAUTHORIZED;
        }
        return answer.message().contains("exceeded quota") ? CallError.QUOTA_EXCEEDED : CallError.FORBIDDEN;
    }

    private static CallError absent(Operation operation, Answer answer) {
        boolean namespaceAbsent =
                "namespaces".equals(answer.details().path("kind").asText())
                        && operation.type() != null
                        && !operation.type().equals(ResourceType.NAMESPACES);
        return namespaceAbsent ? CallError.NAMESPACE_ABSENT : CallError.OBJECT_ABSENT;
    }

    private static CallError conflict(Answer answer) {
        if (answer.reason().equals("AlreadyExists")) {
            return CallError.ALREADY_EXISTS;
        }
        boolean uid = answer.message().contains("Precondition failed: UID")
                || answer.message().contains("does not match the UID in record")
                || answer.message().contains("uid mismatch");
        return uid ? CallError.UID_CHANGED : CallError.CONFLICT;
    }

    private static CallError serverError(String message) {
        if (message.contains(UNTYPED_APPLY)) {
            return CallError.INVALID_OBJECT;
        }
        if (NOT_CALLED.matcher(message).find()) {
            return CallError.ADMISSION_UNREACHABLE;
        }
        return message.contains("conversion webhook for") ? CallError.CONVERSION_UNREACHABLE : CallError.SERVER_ERROR;
    }

    private static String explain(CallError error, Answer answer) {
        return switch (error) {
            case ADMISSION_DENIED -> "denied by " + webhook(DENIED, answer);
            case ADMISSION_UNREACHABLE -> "the API server cannot call the webhook " + webhook(NOT_CALLED, answer);
            case UNAUTHORIZED -> "the credentials are not accepted (" + answer.code() + ")";
            case NAMESPACE_ABSENT ->
                "the namespace " + answer.details().path("name").asText() + " does not exist";
            case OBJECT_ABSENT -> "the object does not exist";
            case UID_CHANGED -> "the object of that name is another one now";
            case INVALID_OBJECT -> "the server does not accept it (" + answer.code() + ")" + fieldText(answer);
            default -> "the server answered " + answer.code();
        };
    }

    private static String webhook(Pattern pattern, Answer answer) {
        Matcher matcher = pattern.matcher(answer.message());
        if (!matcher.find()) {
            return "an admission webhook";
        }
        return matcher.group(1) == null ? "the policy " + matcher.group(2) : matcher.group(1);
    }

    /** The paths of the wrong fields, from the server's causes. */
    private static List<String> fields(Answer answer) {
        List<String> fields = new ArrayList<>();
        for (JsonNode cause : answer.details().path("causes")) {
            String field = cause.path("field").asText("");
            if (!field.isEmpty() && !field.equals("<nil>") && !fields.contains(field)) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static String fieldText(Answer answer) {
        List<String> fields = fields(answer);
        return fields.isEmpty() ? "" : ", fields " + String.join(", ", fields);
    }

    /** The server's own words, unless they could quote a secret. */
    private static String said(Operation operation, Answer answer) {
        String message = answer.message();
        boolean quotesObject = answer.code() == 400 || answer.code() == 422 || message.contains(UNTYPED_APPLY);
        if (message.isEmpty() || (operation.confidential() && quotesObject)) {
            return ".";
        }
        String words = message.strip();
        return ": " + (words.length() > LONGEST_MESSAGE ? words.substring(0, LONGEST_MESSAGE) + "…" : words);
    }

    private @Nullable Duration retryAfter(Answer answer) {
        String header = answer.headers().get("Retry-After");
        if (header != null) {
            Duration asked = parseRetryAfter(header.strip());
            if (asked != null) {
                return asked;
            }
        }
        long seconds = answer.details().path("retryAfterSeconds").asLong(0);
        return seconds > 0 ? Duration.ofSeconds(seconds) : null;
    }

    private @Nullable Duration parseRetryAfter(String header) {
        try {
            if (header.chars().allMatch(Character::isDigit) && !header.isEmpty()) {
                return Duration.ofSeconds(Long.parseLong(header));
            }
            ZonedDateTime date = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME);
            Duration until = Duration.between(clock.instant(), date.toInstant());
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeException | NumberFormatException e) {
            // A header that nobody can read is as good as none.
            return null;
        }
    }

    private static String text(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
