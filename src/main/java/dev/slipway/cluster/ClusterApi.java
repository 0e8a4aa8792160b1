package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Reads Cluster API objects live, in whichever version the server prefers. */
@Component
public class ClusterApi {

    public static final String GROUP = "cluster.x-k8s.io";
    public static final String CLUSTER_NAME_LABEL = "cluster.x-k8s.io/cluster-name";

    private final LiveReader reader;

    public ClusterApi(LiveReader reader) {
        this.reader = reader;
    }

    /** How a kind of Cluster API's own group is served; empty if Cluster API is not installed. */
    Optional<ResourceType> type(String kind) {
        return reader.find(GROUP, kind);
    }

    /** Reads the Cluster; empty if it is absent, or Cluster API itself is. */
    public Optional<CapiCluster> cluster(String namespace, String name) {
        return type("Cluster")
                .flatMap(type -> reader.get(type, namespace, name))
                .map(CapiCluster::new);
    }

    /**
     * Reads all Clusters; none if Cluster API is not installed.
     *
     * @param namespace empty for all namespaces
     */
    public List<CapiCluster> clusters(String namespace) {
        return type("Cluster").map(type -> reader.list(type, namespace, Map.of())).orElse(List.of()).stream()
                .map(CapiCluster::new)
                .toList();
    }

    /**
     * Reads what a reference names.
     *
     * @throws Failure INVALID {@code KindAbsent} if the kind is not served
     */
    public Optional<KubeObject> resolve(String namespace, ObjectRef ref) {
        ResourceType type = reader.find(ref.group(), ref.kind())
                .orElseThrow(() -> new Failure(
                        ErrorClass.INVALID,
                        "KindAbsent",
                        ref.display() + " in namespace " + namespace + ": the management cluster does not serve "
                                + ref.qualifiedKind(),
                        List.of("Install the provider that brings " + ref.qualifiedKind()),
                        null,
                        null));
        return reader.get(type, namespace, ref.name());
    }

    /** The control plane object of the Cluster; empty if it has no reference to one, or the object is absent. */
    public Optional<ControlPlaneView> controlPlane(CapiCluster cluster) {
        return cluster.controlPlaneRef()
                .flatMap(ref -> resolve(cluster.namespace(), ref))
                .map(ControlPlaneView::new);
    }

    /** All machines of the Cluster, by the label that Cluster API puts on them. */
    public List<MachineView> machines(CapiCluster cluster) {
        return list("Machine", cluster).stream().map(MachineView::new).toList();
    }

    /** All objects of that kind with the Cluster's label; none if the kind is not served. */
    List<KubeObject> list(String kind, CapiCluster cluster) {
        return type(kind)
                .map(type -> reader.list(type, cluster.namespace(), Map.of(CLUSTER_NAME_LABEL, cluster.name())))
                .orElse(List.of());
    }
}
