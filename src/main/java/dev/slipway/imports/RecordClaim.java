package dev.slipway.imports;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.PlatformCluster.Address;
import dev.slipway.platform.WorkloadIdentity;
import java.util.List;
import java.util.Optional;

/** Decides whether the platform's record of a cluster's name is that cluster's: nothing that is another's is written. */
final class RecordClaim {

    private RecordClaim() {}

    /**
     * Refuses a record that is not the cluster's.
     *
     * @return why it is refused; empty if it is the cluster's, or there is none
     * @throws dev.slipway.phase.Failure IDENTITY as {@link WorkloadIdentity#check}
     */
    static Optional<Outcome> refuse(ImportScene scene, CredentialInventory inventory, WorkloadIdentity identity) {
        String flow = scene.context().cluster().businessKey();
        // One of this flow under another name is what the platform renamed: whoever makes the record tells of it.
        identity.check(
                scene.name(),
                inventory.clusters().stream()
                        .filter(record -> record.name().equals(scene.name())
                                || record.flow().filter(flow::equals).isEmpty())
                        .map(PlatformCluster::registration)
                        .toList());
        return inventory.record().flatMap(record -> foreign(scene, record, identity));
    }

    private static Optional<Outcome> foreign(ImportScene scene, PlatformCluster record, WorkloadIdentity identity) {
        if (!record.imported()) {
            return Optional.of(Outcome.blocked(
                    ErrorClass.IDENTITY,
                    "PlatformClusterForeign",
                    "the " + record.display() + " has the spec.type "
                            + record.object().text("spec", "type").orElse("''") + ", not " + PlatformCluster.IMPORTED
                            + ": the platform built a cluster of that name itself",
                    "Give the cluster another name, or remove that record"));
        }
        List<Address> addresses = record.addresses();
        boolean elsewhere = !addresses.isEmpty()
                && scene.target()
                        .cluster()
                        .endpoint()
                        .filter(endpoint -> addresses.stream()
                                .anyMatch(address ->
                                        address.host().equals(endpoint.host()) && address.port() == endpoint.port()))
                        .isEmpty();
        if (record.identity().isEmpty() && elsewhere) {
            return Optional.of(Outcome.blocked(
                    ErrorClass.IDENTITY,
                    "PlatformClusterForeign",
                    "the " + record.display() + " was made by somebody else and leads to "
                            + addresses.get(0).host() + ":" + addresses.get(0).port()
                            + ", not to the control plane endpoint of "
                            + scene.target().display() + "; nothing says that it is this cluster's",
                    "If it is another cluster: give this one another name",
                    "If it is this one: kubectl annotate clusters.platform.tkestack.io " + record.name() + " "
                            + PlatformCluster.IDENTITY + "=" + identity.id()));
        }
        return Optional.empty();
    }
}
