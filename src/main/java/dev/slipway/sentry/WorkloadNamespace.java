package dev.slipway.sentry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Makes sure that the account's namespace is active in the workload cluster; one that is there is adopted. */
@Component
public class WorkloadNamespace {

    /** The fact that says whether the namespace was created for this cluster: {@code true} or {@code false}. */
    public static final String CREATED_BY_US = "createdByUs";

    private final SentrySettings settings;

    public WorkloadNamespace(SentrySettings settings) {
        this.settings = settings;
    }

    /**
     * Looks, creates what is absent, and looks again.
     *
     * @return done with the fact {@link #CREATED_BY_US}, which is read from the namespace itself; waiting while the
     *     namespace is being deleted
     */
    public Outcome ensure(PhaseContext context, Workload workload) {
        Optional<KubeObject> found = read(workload);
        if (found.isEmpty()) {
            KubeObject wanted = KubeObject.named(ResourceType.NAMESPACES, "", settings.namespace());
            workload.writer().create(ResourceType.NAMESPACES, Ownership.mark(wanted, context.cluster()));
            found = read(workload);
        }
        return found.map(namespace -> report(context, namespace))
                .orElseGet(() ->
                        Outcome.waiting("WaitingForNamespace", display() + " vanished right after it was created"));
    }

    private Optional<KubeObject> read(Workload workload) {
        return workload.reader().get(ResourceType.NAMESPACES, "", settings.namespace());
    }

    private Outcome report(PhaseContext context, KubeObject namespace) {
        String phase = namespace.text("status", "phase").orElse("");
        if (namespace.deleting() || phase.equals("Terminating")) {
            return Outcome.waiting("WaitingForNamespaceGone", display() + " is being deleted: " + heldBy(namespace));
        }
        if (!phase.equals("Active")) {
            return Outcome.waiting("WaitingForNamespaceActive", display() + " is in the phase '" + phase + "'");
        }
        boolean ours = Ownership.isOf(namespace, context.cluster());
        return Outcome.done(display() + " is active" + (ours ? "; it was created for this cluster" : ""))
                .with(CREATED_BY_US, Boolean.toString(ours));
    }

    /** What keeps it from going: the namespace controller tells in conditions. */
    private static String heldBy(KubeObject namespace) {
        List<String> reasons = new ArrayList<>();
        for (JsonNode condition : namespace.at("status", "conditions")) {
            if ("True".equals(condition.path("status").asText())) {
                reasons.add(condition.path("message").asText());
            }
        }
        List<String> finalizers = new ArrayList<>(namespace.finalizers());
        namespace.at("spec", "finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
        if (!finalizers.isEmpty()) {
            reasons.add("finalizers of the namespace: " + String.join(", ", finalizers));
        }
        return reasons.isEmpty() ? "nothing says what holds it" : String.join("; ", reasons);
    }

    private String display() {
        return "the namespace " + settings.namespace() + " of the workload cluster";
    }
}
