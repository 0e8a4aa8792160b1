package dev.slipway.diagnosis;

import dev.slipway.kubernetes.KubeObject;

/**
 * How many machines an object wants, has, and has ready.
 *
 * @param counted whether it counts machines at all
 * @param wanted spec.replicas
 * @param there status.replicas
 * @param ready status.readyReplicas
 */
record Replicas(boolean counted, int wanted, int there, int ready) {

    static Replicas of(KubeObject object) {
        return new Replicas(
                object.at("spec", "replicas").isInt(),
                object.at("spec", "replicas").asInt(),
                object.at("status", "replicas").asInt(),
                object.at("status", "readyReplicas").asInt());
    }

    /** How many of the machines that are there must be well for etcd to work. */
    int quorum() {
        return there / 2 + 1;
    }

    /** Adds the counts, and that some are missing. */
    ObjectHealth tell(ObjectHealth health) {
        if (!counted) {
            return health;
        }
        if (ready < wanted) {
            health.cause(Verdict.WARNING, "ReplicasMissing", ready + " of " + wanted + " machines are ready");
        }
        return health.detail("replicas: " + wanted + " wanted, " + there + " there, " + ready + " ready");
    }
}
