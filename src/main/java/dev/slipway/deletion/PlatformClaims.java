package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.PlatformCluster;
import java.util.Optional;

/** Decides whether a platform's record is that of the cluster that is deleted: others' records are never touched. */
final class PlatformClaims {

    private PlatformClaims() {}

    /** Whether it is, by what stands on the record and on the Cluster. */
    static boolean isOf(DeletionSubject subject, PlatformCluster record) {
        boolean madeForIt = record.flow()
                .filter(flow -> flow.startsWith(subject.ref().display() + "@"))
                .isPresent();
        return record.imported()
                && (madeForIt
                        || subject.cluster()
                                .filter(cluster -> adopted(cluster, record))
                                .isPresent());
    }

    /** Whether the first phases recorded that it is. */
    static boolean isRecorded(PhaseContext context, PlatformCluster record) {
        return context.fact(DeletionFacts.RECORD_UID)
                .filter(record.uid()::equals)
                .isPresent();
    }

    /** One that somebody else made: of the same identity, or without any and at the same endpoint. */
    private static boolean adopted(CapiCluster cluster, PlatformCluster record) {
        Optional<String> identity = Optional.ofNullable(
                        cluster.object().annotations().get(PlatformCluster.IDENTITY))
                .filter(id -> !id.isEmpty());
        if (record.flow().isPresent()) {
            // Another Cluster's flow made it.
            return false;
        }
        if (record.identity().isPresent()) {
            return record.identity().equals(identity);
        }
        return registered(cluster.object())
                && cluster.endpoint()
                        .filter(endpoint -> leadsTo(record, endpoint))
                        .isPresent();
    }

    private static boolean registered(KubeObject cluster) {
        return ImportInvariants.imported(cluster) || cluster.finalizers().contains(ImportTarget.FINALIZER);
    }

    private static boolean leadsTo(PlatformCluster record, Endpoint endpoint) {
        return record.addresses().stream()
                .anyMatch(address -> address.host().equals(endpoint.host()) && address.port() == endpoint.port());
    }
}
