package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import java.util.OptionalInt;

/**
 * A control plane object of any provider, for example a KubeadmControlPlane.
 *
 * @param object the object as just read live
 */
public record ControlPlaneView(KubeObject object) {

    /** {@code KubeadmControlPlane <namespace>/<name>}. */
    public String display() {
        return object.kind() + " " + object.namespace() + "/" + object.name();
    }

    /** How many machines are wanted; empty if the provider does not count machines. */
    public OptionalInt desired() {
        return object.at("spec", "replicas").isInt()
                ? OptionalInt.of(object.at("spec", "replicas").asInt())
                : OptionalInt.empty();
    }

    public int ready() {
        return object.at("status", "readyReplicas").asInt();
    }

    /** Whether its controller has not yet seen the latest spec, so that its numbers are old. */
    public boolean outdated() {
        return object.at("status", "observedGeneration").isNumber()
                && object.at("status", "observedGeneration").asLong() < object.generation();
    }

    /** Whether its controller says that it serves, and nothing against its etcd. */
    boolean available() {
        return Condition.isTrue(object, "Available")
                && Condition.unmet(object, "EtcdClusterHealthy", "ControlPlaneComponentsHealthy")
                        .isEmpty();
    }

    /** What its controller says is not right; empty if nothing. */
    String cause() {
        return String.join(
                "; ",
                Condition.unmet(object, "Available", "EtcdClusterHealthy", "CertificatesAvailable", "MachinesReady")
                        .stream()
                        .map(Condition::sentence)
                        .toList());
    }
}
