package dev.slipway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseView;
import dev.slipway.kubernetes.KubeObject;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only place where conditions and statuses are made.
 *
 * <ul>
 *   <li>Every condition carries the generation that was observed.
 *   <li>{@code lastTransitionTime} changes only with the condition's status.
 *   <li>Times have whole seconds, as Kubernetes has them.
 * </ul>
 */
public final class StatusFactory {

    private final InstantSource clock;

    public StatusFactory(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Makes the whole status of a WorkloadCluster.
     *
     * @param current the object as last read: its generation, and the conditions whose transition times are kept
     * @param projection what the status should say
     */
    public ObjectNode status(KubeObject current, Projection projection) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("phase", projection.phase().text());
        status.put("ready", projection.ready());
        status.put("observedGeneration", current.generation());
        status.set("conditions", conditions(current, projection.conditions()));
        if (projection.flow() != null) {
            status.set("flow", flow(projection.flow(), projection.current()));
        }
        return status;
    }

    /** Makes conditions, keeping the transition times of those whose status does not change. */
    public ArrayNode conditions(KubeObject current, List<Condition> wanted) {
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        for (Condition condition : wanted) {
            String status = condition.holds() ? "True" : "False";
            conditions
                    .addObject()
                    .put("type", condition.type().text())
                    .put("status", status)
                    .put("observedGeneration", current.generation())
                    .put("lastTransitionTime", transition(current, condition.type(), status))
                    .put("reason", condition.reason())
                    .put("message", condition.message());
        }
        return conditions;
    }

    private String transition(KubeObject current, ConditionType type, String status) {
        Optional<JsonNode> before = current.condition(type.text())
                .filter(condition -> status.equals(condition.path("status").asText()))
                .filter(condition -> condition.hasNonNull("lastTransitionTime"));
        return before.map(condition -> condition.path("lastTransitionTime").asText())
                .orElseGet(() -> time(clock.instant()));
    }

    private static ObjectNode flow(FlowView flow, @Nullable PhaseView phase) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", flow.id()).put("kind", flow.kind());
        json.put(
                "state", phase != null && flow.state() == FlowState.RUNNING ? text(phase.state()) : text(flow.state()));
        if (phase != null) {
            json.put("phase", phase.name());
            json.put("attempt", phase.attempt());
            json.put("reason", FlowReading.reason(phase));
            json.put("message", FlowReading.message(phase));
            put(json, "nextCheck", phase.nextCheck());
        }
        put(json, "since", since(flow, phase));
        return json;
    }

    /** When the phase was entered; once the flow has ended, since when it has. */
    private static @Nullable Instant since(FlowView flow, @Nullable PhaseView phase) {
        if (flow.endedAt() != null) {
            return flow.endedAt();
        }
        return phase != null && phase.since() != null ? phase.since() : flow.startedAt();
    }

    private static void put(ObjectNode json, String field, @Nullable Instant time) {
        if (time != null) {
            json.put(field, time(time));
        }
    }

    /** RETRYING becomes Retrying. */
    private static String text(Enum<?> state) {
        return state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
