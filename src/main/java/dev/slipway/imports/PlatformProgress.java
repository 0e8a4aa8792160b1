package dev.slipway.imports;

import dev.slipway.cluster.Condition;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.PlatformCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads from a platform's record how far the platform's controller is with a cluster. */
public final class PlatformProgress {

    private static final Duration SILENCE = Duration.ofMinutes(1);
    /** No watch tells of records, and a controller that is there is done in seconds. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final String RUNNING = "Running";
    private static final String FIRST_PHASE = "Initializing";
    private static final Pattern REFUSED =
            Pattern.compile("\\b401\\b|unauthorized|must be logged in|invalid bearer token", Pattern.CASE_INSENSITIVE);

    private PlatformProgress() {}

    /** What the phase that waits for the controller answers. */
    public static Outcome of(PhaseContext context, PlatformCluster record) {
        String phase = record.phase().orElse("");
        if (phase.equals(RUNNING)) {
            return Outcome.done("the " + record.display() + " is " + RUNNING);
        }
        List<Condition> unmet = Condition.all(record.object()).stream()
                .filter(condition -> !condition.holds())
                .toList();
        Optional<String> refusal = refusal(context, record, unmet);
        if (refusal.isPresent()) {
            return Outcome.back(
                    "EnsureSentryToken",
                    "PlatformUnauthorized",
                    "the platform's controller is not let into the workload cluster: " + refusal.get());
        }
        if (hasController(record.object(), phase)) {
            return Outcome.waiting("WaitingForPlatformRunning", sentence(record, phase, unmet));
        }
        Instant silent = context.since().plus(SILENCE);
        return context.now().isBefore(silent)
                ? Outcome.waiting(
                                "WaitingForPlatformController",
                                "no controller of the platform has written to the " + record.display() + " yet")
                        .after(sooner(LOOK, Duration.between(context.now(), silent)))
                : Outcome.done("no controller of the platform has written to the " + record.display() + " for "
                        + SILENCE.toSeconds() + " s: there is none, and nothing to wait for");
    }

    /** The record is not there any more. */
    public static Outcome absent(String cluster) {
        return Outcome.back(
                "EnsurePlatformCluster", "PlatformClusterMissing", "the platform Cluster " + cluster + " is gone");
    }

    private static Duration sooner(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean hasController(KubeObject record, String phase) {
        return !Condition.all(record).isEmpty() || !(phase.isEmpty() || phase.equals(FIRST_PHASE));
    }

    /** An old complaint may be about an old token: the controller gets a minute to try the one that it has now. */
    private static Optional<String> refusal(PhaseContext context, PlatformCluster record, List<Condition> unmet) {
        boolean settled = !context.now().isBefore(context.since().plus(SILENCE));
        Optional<String> complaint = unmet.stream()
                .filter(condition -> settled || !isOlder(condition, context.since()))
                .map(Condition::sentence)
                .filter(text -> REFUSED.matcher(text).find())
                .findFirst();
        return complaint.or(() -> Optional.of(record.message())
                .filter(text -> settled && REFUSED.matcher(text).find()));
    }

    private static boolean isOlder(Condition condition, Instant time) {
        Instant since = condition.since();
        return since != null && since.isBefore(time);
    }

    private static String sentence(PlatformCluster record, String phase, List<Condition> unmet) {
        String causes = unmet.stream().map(Condition::sentence).collect(Collectors.joining("; "));
        String text = "the " + record.display() + " is in the phase '" + phase + "'";
        if (!record.message().isEmpty()) {
            text += ": " + record.message();
        }
        return causes.isEmpty() ? text : text + "; " + causes;
    }
}
