package dev.slipway.diagnosis;

import dev.slipway.kernel.DiagnosisSource;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import java.util.Optional;

/** For the task about a work item: what is wrong with the cluster on which it is installed. */
final class ItemTaskDiagnosis implements DiagnosisSource {

    private final DiagnosisSource clusters;
    private final LiveReader reader;

    ItemTaskDiagnosis(DiagnosisSource clusters, LiveReader reader) {
        this.clusters = clusters;
        this.reader = reader;
    }

    @Override
    public String diagnose(ClusterRef ref) {
        return cluster(ref)
                .map(name -> "WorkItem " + ref.display() + " is for this cluster. "
                        // Whatever has that name: the flow knows the UID of the work item only.
                        + clusters.diagnose(new ClusterRef(ref.namespace(), name, "")))
                .orElseGet(() -> clusters.diagnose(ref));
    }

    private Optional<String> cluster(ClusterRef ref) {
        try {
            return reader.get(ResourceType.WORK_ITEMS, ref.namespace(), ref.name())
                    .filter(item -> item.uid().equals(ref.uid()))
                    .flatMap((KubeObject item) -> item.text("spec", "clusterRef", "name"));
        } catch (Failure e) {
            // Then it says so itself.
            return Optional.empty();
        }
    }
}
