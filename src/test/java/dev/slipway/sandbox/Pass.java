package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** One look at one cluster, and what came of it. */
final class Pass {

    private final ObjectNode cluster;
    private final Behaviour behaviour;
    private final Clock clock;
    private final Conditions conditions;
    private boolean network;
    private boolean changed;

    Pass(ObjectNode cluster, Behaviour behaviour, Clock clock) {
        this.cluster = cluster;
        this.behaviour = behaviour;
        this.clock = clock;
        this.conditions = new Conditions(cluster, clock);
        this.network = behaviour.network() == Behaviour.Network.BUILT_IN;
    }

    ObjectNode cluster() {
        return cluster;
    }

    String namespace() {
        return Capi.namespace(cluster);
    }

    String name() {
        return Capi.name(cluster);
    }

    /** Whether a WorkloadCluster owns it: then Slipway makes its certificates. */
    boolean declared() {
        return cluster.path("metadata")
                .path("ownerReferences")
                .findValuesAsText("kind")
                .contains("WorkloadCluster");
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /** The Cluster's own conditions, written at the end of the pass. */
    Conditions conditions() {
        return conditions;
    }

    Conditions conditionsOf(ObjectNode object) {
        return new Conditions(object, clock);
    }

    Instant now() {
        return clock.instant();
    }

    /** Whether the cluster's delay has passed since then. */
    boolean delayPassedSince(Optional<Instant> start) {
        return start.map(then -> !clock.instant().isBefore(then.plus(behaviour.delay())))
                .orElse(false);
    }

    /** Whether nodes have a pod network. */
    boolean network() {
        return network;
    }

    /** Notes whether nodes have a pod network. */
    void network(boolean there) {
        network = there;
    }

    /** Notes that something was written. */
    void changed(boolean wrote) {
        changed |= wrote;
    }

    /** Whether anything was written: then the next look comes soon. */
    boolean hasChanged() {
        return changed;
    }
}
