package dev.slipway.helm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import java.util.Optional;

/**
 * Whether an object has become what it was asked to be.
 *
 * @param state ready, on its way, or given up by its controller
 * @param message why it is not ready; empty if it is
 */
public record Readiness(State state, String message) {

    private static final Readiness IS_READY = new Readiness(State.READY, "");

    /** How far it is. */
    public enum State {
        READY,
        IN_PROGRESS,
        FAILED
    }

    /**
     * Judges an object as just read, by the rules of kstatus: those of its kind, or else generation and conditions.
     *
     * @param object with its status
     */
    public static Readiness of(KubeObject object) {
        if (object.deleting()) {
            return waiting("it is being deleted");
        }
        JsonNode observed = object.at("status", "observedGeneration");
        if (observed.isNumber() && observed.asLong() < object.generation()) {
            return waiting("its controller has not seen the last change");
        }
        return switch (ObjectId.group(object) + "/" + object.kind()) {
            case "apps/Deployment" -> deployment(object);
            case "apps/StatefulSet" -> statefulSet(object);
            case "apps/DaemonSet" -> daemonSet(object);
            case "batch/Job" -> job(object);
            case "apiextensions.k8s.io/CustomResourceDefinition" -> definition(object);
            case "apiregistration.k8s.io/APIService" -> needs(object, "Available");
            case "/PersistentVolumeClaim" -> phase(object, "Bound");
            case "/Pod" -> pod(object);
            case "/Service" -> service(object);
            default -> conditions(object);
        };
    }

    private static Readiness deployment(KubeObject object) {
        Optional<JsonNode> progressing = object.condition("Progressing");
        if (progressing.isPresent() && progressing.get().path("reason").asText().equals("ProgressDeadlineExceeded")) {
            return failed(progressing.get());
        }
        long wanted = object.at("spec", "replicas").asLong(1);
        if (status(object, "updatedReplicas") < wanted) {
            return waiting(status(object, "updatedReplicas") + " of " + wanted + " replicas are updated");
        }
        if (status(object, "replicas") > status(object, "updatedReplicas")) {
            return waiting("old replicas are still there");
        }
        return count(object, "availableReplicas", wanted, "replicas are available");
    }

    private static Readiness statefulSet(KubeObject object) {
        long wanted = object.at("spec", "replicas").asLong(1);
        Readiness ready = count(object, "readyReplicas", wanted, "replicas are ready");
        if (ready.state() != State.READY
                || "OnDelete".equals(object.at("spec", "updateStrategy", "type").asText())) {
            return ready;
        }
        long partition = object.at("spec", "updateStrategy", "rollingUpdate", "partition")
                .asLong(0);
        if (partition > 0) {
            return count(object, "updatedReplicas", Math.max(0, wanted - partition), "replicas are updated");
        }
        boolean same = object.at("status", "currentRevision").equals(object.at("status", "updateRevision"));
        return same ? IS_READY : waiting("replicas of the last revision are still there");
    }

    private static Readiness daemonSet(KubeObject object) {
        if (!object.at("status", "desiredNumberScheduled").isNumber()
                || object.at("status", "observedGeneration").asLong() == 0) {
            return waiting("its controller has not seen it yet");
        }
        long wanted = status(object, "desiredNumberScheduled");
        Readiness updated =
                "OnDelete".equals(object.at("spec", "updateStrategy", "type").asText())
                        ? IS_READY
                        : count(object, "updatedNumberScheduled", wanted, "Pods are updated");
        return updated.state() == State.READY
                ? count(object, "numberAvailable", wanted, "Pods are available")
                : updated;
    }

    private static Readiness job(KubeObject object) {
        if (object.conditionTrue("Failed")) {
            return failed(object.condition("Failed").orElseThrow());
        }
        return object.conditionTrue("Complete") ? IS_READY : waiting("it has not completed");
    }

    private static Readiness definition(KubeObject object) {
        Optional<JsonNode> names = object.condition("NamesAccepted");
        if (names.isPresent() && names.get().path("status").asText().equals("False")) {
            return failed(names.get());
        }
        return needs(object, "Established");
    }

    private static Readiness pod(KubeObject object) {
        String phase = object.at("status", "phase").asText();
        if (phase.equals("Failed")) {
            return new Readiness(State.FAILED, "it has failed");
        }
        return phase.equals("Succeeded") ? IS_READY : needs(object, "Ready");
    }

    private static Readiness service(KubeObject object) {
        boolean balanced = object.at("spec", "type").asText().equals("LoadBalancer");
        boolean served = !object.at("status", "loadBalancer", "ingress").isEmpty();
        return !balanced || served ? IS_READY : waiting("no load balancer serves it yet");
    }

    private static Readiness phase(KubeObject object, String wanted) {
        String phase = object.at("status", "phase").asText();
        return phase.equals(wanted) ? IS_READY : waiting("its phase is '" + phase + "', not " + wanted);
    }

    private static Readiness conditions(KubeObject object) {
        if (object.conditionTrue("Stalled")) {
            return failed(object.condition("Stalled").orElseThrow());
        }
        if (object.conditionTrue("Reconciling")) {
            return waiting("its controller works on it");
        }
        return object.condition("Ready").isEmpty() ? IS_READY : needs(object, "Ready");
    }

    private static Readiness needs(KubeObject object, String type) {
        if (object.conditionTrue(type)) {
            return IS_READY;
        }
        String message = object.condition(type)
                .map(condition -> ": " + condition.path("message").asText())
                .orElse("");
        return waiting("its condition " + type + " is not True" + message);
    }

    private static Readiness count(KubeObject object, String field, long wanted, String words) {
        long there = status(object, field);
        return there >= wanted ? IS_READY : waiting(there + " of " + wanted + " " + words);
    }

    private static long status(KubeObject object, String field) {
        return object.at("status", field).asLong(0);
    }

    private static Readiness waiting(String message) {
        return new Readiness(State.IN_PROGRESS, message);
    }

    private static Readiness failed(JsonNode condition) {
        return new Readiness(
                State.FAILED,
                condition.path("reason").asText() + ": "
                        + condition.path("message").asText());
    }
}
