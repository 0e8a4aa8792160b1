package dev.slipway.kernel;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often a flow went back from one phase to an earlier one, and when it did last.
 *
 * <p>Kept as a fact of the flow. The first time is free; the next three are 1, 5 and 15 minutes after the time before; then
 * a person decides, and with that the count begins anew.
 *
 * @param phase the later phase's name
 * @param count how often
 * @param last when; null if never
 */
record Returns(String phase, int count, @Nullable Instant last) {

    private static final String PREFIX = "returns.";
    private static final List<Duration> SPACING =
            List.of(Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15));

    /** Reads them; what cannot be read counts as never. */
    static Returns of(String phase, Map<String, String> facts) {
        String[] parts = facts.getOrDefault(PREFIX + phase, "").split(" ", 2);
        if (parts.length == 2) {
            try {
                return new Returns(phase, Integer.parseInt(parts[0]), Instant.parse(parts[1]));
            } catch (NumberFormatException | DateTimeParseException e) {
                return new Returns(phase, 0, null);
            }
        }
        return new Returns(phase, 0, null);
    }

    /** Whether a fact counts returns. */
    static boolean isFact(String name) {
        return name.startsWith(PREFIX);
    }

    /** When the flow may go back again; empty if only a person may send it. */
    Optional<Instant> next() {
        if (count >= SPACING.size()) {
            return Optional.empty();
        }
        return Optional.of(last == null ? Instant.EPOCH : last.plus(SPACING.get(count)));
    }

    /** The fact that notes one more. */
    Map<String, String> oneMore(Instant now) {
        return Map.of(PREFIX + phase, (count + 1) + " " + now);
    }
}
