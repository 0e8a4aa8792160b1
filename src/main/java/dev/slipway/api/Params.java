package dev.slipway.api;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Reads parameters of requests, and says which of them cannot be read. */
final class Params {

    /** What the database can hold: neither more digits of the year nor earlier times are of any use. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
    private static final Pattern OFFSET = Pattern.compile("(.+)([+-])(\\d\\d):(\\d\\d)");
    private static final Duration LONGEST = Duration.ofDays(400);

    private Params() {}

    /** A text; null if there is none. */
    static @Nullable String text(@Nullable String given) {
        return given == null || given.isBlank() ? null : given.strip();
    }

    /**
     * A point in time; null if there is none.
     *
     * @throws ApiProblem 400 if it cannot be read
     */
    static @Nullable Instant time(String field, @Nullable String given) {
        String text = text(given);
        if (text == null) {
            return null;
        }
        try {
            Instant time = instant(text);
            if (!time.isBefore(EARLIEST) && !time.isAfter(LATEST)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            throw unreadable(field, text, e);
        }
        throw unreadable(field, text, null);
    }

    /** As RFC 3339 has it, where an offset may be longer than the day of any place. */
    private static Instant instant(String text) {
        Matcher offset = OFFSET.matcher(text);
        if (!offset.matches()) {
            return Instant.parse(text);
        }
        Duration ahead =
                Duration.ofHours(Integer.parseInt(offset.group(3))).plusMinutes(Integer.parseInt(offset.group(4)));
        Instant local = LocalDateTime.parse(offset.group(1)).toInstant(ZoneOffset.UTC);
        return "-".equals(offset.group(2)) ? local.plus(ahead) : local.minus(ahead);
    }

    private static ApiProblem unreadable(String field, String text, @Nullable Exception cause) {
        ApiProblem problem = new ApiProblem(
                        HttpStatus.BAD_REQUEST, "InvalidField", "The time " + text + " cannot be read")
                .field(field)
                .remedy("Write it as 2026-03-01T00:00:00Z");
        if (cause != null) {
            problem.initCause(cause);
        }
        return problem;
    }

    /**
     * One of some words, in any case.
     *
     * @throws ApiProblem 400 with the words if it is none of them
     */
    static <T> @Nullable T oneOf(
            String field, @Nullable String given, T[] choices, Function<T, String> word, @Nullable T usual) {
        String text = text(given);
        if (text == null) {
            return usual;
        }
        return Arrays.stream(choices)
                .filter(choice -> word.apply(choice).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new ApiProblem(
                                HttpStatus.BAD_REQUEST, "InvalidField", "There is no " + field + " " + text)
                        .field(field)
                        .remedy("Use one of " + Arrays.stream(choices).map(word).collect(Collectors.joining(", "))));
    }

    /** An enum's word in requests. */
    static String lower(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** Whether a list is wanted the other way round. */
    static boolean descending(@Nullable String order) {
        return "desc".equals(oneOf("order", order, new String[] {"asc", "desc"}, word -> word, "asc"));
    }

    /**
     * How far to look back: an ISO 8601 duration.
     *
     * @throws ApiProblem 400 if it cannot be read, or is out of range
     */
    static Duration back(String field, @Nullable String given, Duration usual) {
        String text = text(given);
        if (text == null) {
            return usual;
        }
        try {
            Duration duration = Duration.parse(text);
            if (!duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException | ArithmeticException e) {
            throw outOfRange(field, text);
        }
        throw outOfRange(field, text);
    }

    private static ApiProblem outOfRange(String field, String text) {
        return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "\"" + text + "\" is no duration up to P400D")
                .field(field)
                .remedy("Write it like PT24H or P30D");
    }
}
