package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.WorkloadIdentity;
import dev.slipway.platform.WorkloadIdentity.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The identities that are recorded: on platform Clusters, and on Clusters, where they survive the loss of the platform's
 * records.
 */
@Component
public class IdentityRecords {

    private final LiveReader reader;
    private final ClusterMarks marks;

    public IdentityRecords(LiveReader reader, ClusterMarks marks) {
        this.reader = reader;
        this.marks = marks;
    }

    /** What is recorded of a cluster itself; empty if nothing is. The platform's record comes first. */
    public Optional<Registration> own(ImportTarget target, List<PlatformCluster> records) {
        Optional<PlatformCluster> record = records.stream()
                .filter(cluster -> cluster.name().equals(target.name()))
                .findFirst();
        String annotated = of(target.cluster().object());
        String id = record.flatMap(PlatformCluster::identity).orElse(annotated);
        return record.isEmpty() && id.isEmpty() ? Optional.empty() : Optional.of(new Registration(target.name(), id));
    }

    /** What is recorded of all others. */
    public List<Registration> others(ImportTarget target, List<PlatformCluster> records) {
        List<Registration> others = new ArrayList<>();
        records.stream()
                .filter(cluster -> !cluster.name().equals(target.name()))
                .map(PlatformCluster::registration)
                .forEach(others::add);
        reader.find(ClusterApi.GROUP, "Cluster").map(type -> reader.list(type, "", Map.of())).orElse(List.of()).stream()
                .filter(cluster -> !cluster.name().equals(target.name()) && registered(cluster))
                .map(cluster -> new Registration(cluster.name(), of(cluster)))
                .forEach(others::add);
        return others;
    }

    /** Records the identity on the Cluster; writes nothing if one that is as good is there. */
    public void record(ImportTarget target, WorkloadIdentity identity) {
        if (!identity.is(of(target.cluster().object()))) {
            marks.annotate(target, Map.of(PlatformCluster.IDENTITY, identity.id()));
        }
    }

    /** Records another identity on the platform Cluster of that name, and changes nothing else of it. */
    public void replace(Platform platform, PlatformCluster record, WorkloadIdentity identity) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").putObject("annotations").put(PlatformCluster.IDENTITY, identity.id());
        platform.patch(record, patch);
    }

    private static String of(KubeObject cluster) {
        return cluster.annotations().getOrDefault(PlatformCluster.IDENTITY, "");
    }

    private static boolean registered(KubeObject cluster) {
        return ImportInvariants.imported(cluster) || cluster.finalizers().contains(ImportTarget.FINALIZER);
    }
}
