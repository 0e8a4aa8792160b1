package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a simulated cluster shall behave, as its annotations ask.
 *
 * @param delay how long each of infrastructure, control plane and workers takes
 * @param fault what never works; empty for a good cluster
 * @param network where its pod network comes from
 */
record Behaviour(Duration delay, Optional<Fault> fault, Network network) {

    static final String DELAY = "sandbox.slipway.dev/delay";
    static final String FAIL_AT = "sandbox.slipway.dev/fail-at";
    static final String NETWORK = "sandbox.slipway.dev/network";

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h)");

    /** What a cluster can be told to fail at. */
    enum Fault {
        /** The infrastructure is never provisioned: no endpoint. */
        INFRASTRUCTURE,
        /** Machines start, but no API server ever answers: the endpoint closes each connection. */
        CONTROL_PLANE,
        /** Worker machines start, but none joins. */
        WORKERS,
        /** All is reported well, but the endpoint accepts connections and never answers. */
        BLACK_HOLE,
        /** Worker machines are never let go once the cluster is being deleted: their finalizer stays. */
        DELETION
    }

    /** Who installs the pod network, without which no node is Ready. */
    enum Network {
        /** It is there as soon as a node is. */
        BUILT_IN,
        /** The account {@code sentry} of the workload cluster installs it: nodes are NotReady until there is one. */
        IMPORT
    }

    /**
     * Reads the annotations of the WorkloadCluster or, where there is none, of the Cluster.
     *
     * <p>Not of both: Slipway copies annotations when it makes the Cluster, and a copy must not outlive its original.
     *
     * @throws IllegalArgumentException if a value makes no sense
     */
    static Behaviour of(JsonNode cluster, Optional<? extends JsonNode> workloadCluster, Duration defaultDelay) {
        JsonNode annotated = workloadCluster.isPresent() ? workloadCluster.get() : cluster;
        Duration delay = annotation(DELAY, annotated)
                .map(text -> duration("Annotation " + DELAY, text))
                .orElse(defaultDelay);
        return new Behaviour(
                delay,
                annotation(FAIL_AT, annotated).map(text -> oneOf(Fault.class, FAIL_AT, text)),
                annotation(NETWORK, annotated)
                        .map(text -> oneOf(Network.class, NETWORK, text))
                        .orElse(Network.BUILT_IN));
    }

    boolean failsAt(Fault candidate) {
        return fault.filter(candidate::equals).isPresent();
    }

    private static Optional<String> annotation(String name, JsonNode object) {
        return Optional.of(
                        object.path("metadata").path("annotations").path(name).asText())
                .filter(value -> !value.isBlank());
    }

    /** Reads a duration; where it was found goes into the message if it is none. */
    static Duration duration(String where, String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "%s: \"%s\" is not a duration like 500ms, 30s, 5m".formatted(where, text));
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    private static <E extends Enum<E>> E oneOf(Class<E> type, String annotation, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Annotation %s: \"%s\" is none of %s"
                        .formatted(
                                annotation,
                                text,
                                Arrays.stream(type.getEnumConstants())
                                        .map(Behaviour::value)
                                        .collect(Collectors.joining(", ")))));
    }

    private static String value(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
