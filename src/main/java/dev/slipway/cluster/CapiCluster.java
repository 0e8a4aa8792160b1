package dev.slipway.cluster;

import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Cluster API {@code Cluster}, in the shape of v1beta1 or v1beta2.
 *
 * <p>Its {@code status.phase} is for people and never read here.
 *
 * @param object the object as just read live
 */
public record CapiCluster(KubeObject object) {

    /** The annotation that pauses any object of Cluster API, whatever its value. */
    public static final String PAUSED = "cluster.x-k8s.io/paused";

    public String namespace() {
        return object.namespace();
    }

    public String name() {
        return object.name();
    }

    public String uid() {
        return object.uid();
    }

    /** {@code Cluster <namespace>/<name>}. */
    public String display() {
        return "Cluster " + namespace() + "/" + name();
    }

    /** Whether a ClusterClass shapes it. */
    public boolean hasTopology() {
        return object.at("spec", "topology").isObject();
    }

    /** The names of the topology's groups of workers. */
    List<String> workerGroups() {
        List<String> names = new ArrayList<>();
        object.at("spec", "topology", "workers", "machineDeployments")
                .forEach(group -> names.add(group.path("name").asText()));
        return names;
    }

    /** Where its API server answers; empty until the infrastructure or the person said so. */
    public Optional<Endpoint> endpoint() {
        String host = object.text("spec", "controlPlaneEndpoint", "host").orElse("");
        int port = object.at("spec", "controlPlaneEndpoint", "port").asInt();
        return host.isEmpty() || port == 0 ? Optional.empty() : Optional.of(new Endpoint(host, port));
    }

    /**
     * Says that it has no endpoint yet, and why.
     *
     * @param reason what the phase that asks calls that
     */
    public Outcome.Waiting withoutEndpoint(String reason) {
        return Outcome.waiting(
                reason,
                Observation.of(
                        display() + " has no control plane endpoint yet",
                        cause("InfrastructureReady", "TopologyReconciled")));
    }

    public Optional<ObjectRef> infrastructureRef() {
        return ObjectRef.of(object.at("spec", "infrastructureRef"));
    }

    public Optional<ObjectRef> controlPlaneRef() {
        return ObjectRef.of(object.at("spec", "controlPlaneRef"));
    }

    /** Whether its infrastructure is there: both shapes say so in a field of their own, and in a condition. */
    public boolean infrastructureProvisioned() {
        return object.at("status", "initialization", "infrastructureProvisioned")
                        .asBoolean()
                || object.at("status", "infrastructureReady").asBoolean()
                || Condition.isTrue(object, "InfrastructureReady");
    }

    /** Whether the first control plane machine runs and the API answered once; never reset. */
    public boolean controlPlaneInitialized() {
        return object.at("status", "initialization", "controlPlaneInitialized").asBoolean()
                || Condition.isTrue(object, "ControlPlaneInitialized");
    }

    /** Whether the Cluster itself says that its control plane can be used. */
    public boolean controlPlaneAvailable() {
        return Condition.isTrue(object, "ControlPlaneAvailable")
                || Condition.isTrue(object, "ControlPlaneReady")
                || object.at("status", "controlPlaneReady").asBoolean();
    }

    /** Whether somebody told the controllers to leave it alone. */
    public boolean paused() {
        return object.at("spec", "paused").asBoolean() || object.annotations().containsKey(PAUSED);
    }

    /**
     * Why it does not go on, in the controllers' own words; empty if they say nothing.
     *
     * @param conditions the types to look at, nearest cause first
     */
    public String cause(String... conditions) {
        List<String> causes = new ArrayList<>();
        if (paused()) {
            causes.add("the " + display() + " is paused (spec.paused or annotation), so nothing will move");
        }
        object.text("status", "failureMessage").ifPresent(text -> causes.add("the provider reports: " + text));
        Condition.unmet(object, conditions).forEach(condition -> causes.add(condition.sentence()));
        return String.join("; ", causes);
    }
}
