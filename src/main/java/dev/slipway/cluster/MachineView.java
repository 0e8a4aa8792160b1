package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import java.util.List;
import java.util.Optional;

/**
 * A Cluster API {@code Machine}.
 *
 * @param object the object as just read live
 */
public record MachineView(KubeObject object) {

    static final String CONTROL_PLANE_LABEL = "cluster.x-k8s.io/control-plane";

    public String name() {
        return object.name();
    }

    public boolean controlPlane() {
        return object.labels().containsKey(CONTROL_PLANE_LABEL);
    }

    /** The node that it became; empty before it joined. */
    public Optional<String> node() {
        return object.text("status", "nodeRef", "name");
    }

    boolean ready() {
        return Condition.isTrue(object, "Ready");
    }

    /** Whether it has become a node that is not healthy, and nothing else is wrong with it: as without a pod network. */
    boolean waitsForItsNode() {
        return node().isPresent()
                && !ready()
                && !object.deleting()
                && !Condition.unmet(object, "NodeHealthy").isEmpty()
                && Condition.unmet(object, "InfrastructureReady", "BootstrapConfigReady", "EtcdMemberHealthy")
                        .isEmpty();
    }

    /** {@code machine x: NodeHealthy is False, reason …}, or why it has no node yet. */
    public String sentence() {
        List<Condition> unmet =
                Condition.unmet(object, "InfrastructureReady", "BootstrapConfigReady", "NodeHealthy", "Ready");
        String why = unmet.isEmpty() ? "" : unmet.get(0).sentence();
        String failure = object.text("status", "failureMessage").orElse("");
        if (!failure.isEmpty()) {
            why = "the provider reports: " + failure;
        }
        if (object.deleting()) {
            why = "it is being deleted";
        }
        if (why.isEmpty()) {
            why = node().isEmpty() ? "it has no node yet" : "it reports nothing";
        }
        return "machine " + name() + ": " + why;
    }

    /** The first three of some machines, in a sentence. */
    static String some(List<MachineView> machines) {
        String shown = String.join(
                "; ", machines.stream().limit(3).map(MachineView::sentence).toList());
        return machines.size() <= 3 ? shown : shown + "; and " + (machines.size() - 3) + " more";
    }
}
