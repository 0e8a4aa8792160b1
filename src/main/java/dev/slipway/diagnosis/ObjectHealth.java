package dev.slipway.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.Condition;
import dev.slipway.kubernetes.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads off any object of Cluster API, a provider or Slipway how it stands: phase, pause, deletion, conditions, counts.
 *
 * <p>In the shapes of v1beta1 and v1beta2.
 */
final class ObjectHealth {

    /** Controllers need a moment: what does not hold for less long is no problem yet. */
    private static final Duration YOUNG = Duration.ofMinutes(2);

    /** Conditions that are good when False, and what it means when they are True. */
    private static final Map<String, Verdict> GOOD_WHEN_FALSE = Map.ofEntries(
            Map.entry("Paused", Verdict.WARNING),
            Map.entry("Deleting", Verdict.WARNING),
            Map.entry("Remediating", Verdict.WARNING),
            Map.entry("RollingOut", Verdict.OK),
            Map.entry("ScalingUp", Verdict.OK),
            Map.entry("ScalingDown", Verdict.OK),
            Map.entry("Updating", Verdict.OK),
            Map.entry("Stuck", Verdict.PROBLEM),
            Map.entry("ManualInterventionRequired", Verdict.PROBLEM),
            Map.entry("MemoryPressure", Verdict.WARNING),
            Map.entry("DiskPressure", Verdict.WARNING),
            Map.entry("PIDPressure", Verdict.WARNING),
            Map.entry("NetworkUnavailable", Verdict.PROBLEM));

    private final KubeObject object;
    private final Instant now;
    private final List<String> causes = new ArrayList<>();
    private final List<String> details = new ArrayList<>();
    private Verdict verdict = Verdict.OK;
    private @Nullable String code;
    private boolean pinned;

    private ObjectHealth(KubeObject object, Instant now) {
        this.object = object;
        this.now = now;
    }

    /** How an object stands by its own words. */
    static ObjectHealth of(KubeObject object, Instant now) {
        ObjectHealth health = new ObjectHealth(object, now);
        health.deletion();
        health.pause();
        health.terminal();
        health.conditions();
        health.generation();
        return health;
    }

    /** How kubectl names an object. */
    static String name(KubeObject object) {
        return name(object.kind(), object.name());
    }

    /** How kubectl names an object. */
    static String name(String kind, String name) {
        return kind.toLowerCase(Locale.ROOT) + "/" + name;
    }

    /** Adds a cause that the object itself does not tell. */
    ObjectHealth cause(Verdict weight, String newCode, String sentence) {
        if (!pinned && (weight.compareTo(verdict) > 0 || code == null)) {
            code = newCode;
            causes.add(0, sentence);
        } else {
            causes.add(sentence);
        }
        verdict = verdict.and(weight);
        return this;
    }

    /** Adds the cause that explains all others, however heavy they are. */
    ObjectHealth leading(Verdict weight, String newCode, String sentence) {
        pinned = true;
        code = newCode;
        causes.add(0, sentence);
        verdict = verdict.and(weight);
        return this;
    }

    ObjectHealth detail(String line) {
        details.add(line);
        return this;
    }

    Seen seen() {
        String phase = object.text("status", "phase").orElse("");
        String what = causes.isEmpty() ? "nothing is wrong with it" : causes.get(0);
        List<String> others =
                causes.stream().filter(cause -> !what.contains(cause)).toList();
        String sentence = phase.isEmpty() ? what : phase + ": " + what;
        if (!others.isEmpty()) {
            sentence += " (and " + others.size() + " more)";
        }
        List<String> all = new ArrayList<>(others);
        all.addAll(details);
        return new Seen(name(object), verdict, code, sentence, all);
    }

    private void deletion() {
        if (object.deleting()) {
            cause(
                    Verdict.WARNING,
                    "Deleting",
                    "deletion was requested at "
                            + object.text("metadata", "deletionTimestamp").orElse("?") + "; finalizers: "
                            + object.finalizers());
        }
    }

    private void pause() {
        if (object.at("spec", "paused").asBoolean()) {
            leading(Verdict.WARNING, "Paused", "it is paused (spec.paused), so nothing will move");
        } else if (object.annotations().containsKey(CapiCluster.PAUSED)) {
            leading(
                    Verdict.WARNING,
                    "Paused",
                    "it is paused (annotation cluster.x-k8s.io/paused), so nothing will move");
        }
    }

    /** What a provider calls final, wherever its version of the API keeps it. */
    private void terminal() {
        for (String[] place : new String[][] {{"status"}, {"status", "deprecated", "v1beta1"}}) {
            JsonNode status = object.at(place);
            String reason = status.path("failureReason").asText("");
            String message = status.path("failureMessage").asText("");
            if (!reason.isEmpty() || !message.isEmpty()) {
                cause(
                        Verdict.PROBLEM,
                        reason.isEmpty() ? "ProviderFailure" : reason,
                        "the provider reports: " + reason + (reason.isEmpty() || message.isEmpty() ? "" : ": ")
                                + message);
                return;
            }
        }
    }

    private void conditions() {
        int good = 0;
        for (Condition condition : Condition.all(object)) {
            Verdict weight = weight(condition);
            if (weight == Verdict.OK) {
                good++;
                if (GOOD_WHEN_FALSE.containsKey(condition.type()) && condition.holds()) {
                    details.add(sentence(condition));
                }
            } else {
                cause(
                        weight,
                        condition.reason().isEmpty() ? condition.type() : condition.reason(),
                        sentence(condition));
            }
        }
        if (good > 0) {
            details.add("conditions as they should be: " + good);
        }
    }

    private Verdict weight(Condition condition) {
        Verdict whenTrue = GOOD_WHEN_FALSE.get(condition.type());
        if (whenTrue != null) {
            // The pause itself has been told.
            boolean told = condition.type().equals("Paused") && "Paused".equals(code);
            return condition.holds() && !told ? whenTrue : Verdict.OK;
        }
        if (condition.holds()) {
            return Verdict.OK;
        }
        boolean young = condition.since() != null && condition.since().isAfter(now.minus(YOUNG));
        boolean mild =
                condition.status().equals("Unknown") || condition.severity().equals("Info");
        return young || mild ? Verdict.WARNING : Verdict.PROBLEM;
    }

    private void generation() {
        JsonNode observed = object.at("status", "observedGeneration");
        if (observed.isNumber() && observed.asLong() < object.generation()) {
            cause(
                    Verdict.WARNING,
                    "NotObserved",
                    "its controller has not looked at the latest spec: generation " + object.generation()
                            + ", observed " + observed.asLong());
        }
    }

    /** {@code Available is False, reason X: message, since …}. */
    static String sentence(Condition condition) {
        return condition.sentence() + (condition.since() == null ? "" : ", since " + condition.since());
    }
}
