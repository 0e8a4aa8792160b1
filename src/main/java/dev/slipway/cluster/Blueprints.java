package dev.slipway.cluster;

import dev.slipway.cluster.WorkloadClusterSpec.TemplateRef;
import dev.slipway.cluster.WorkloadClusterSpec.Topology;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Works out which objects a WorkloadCluster stands for; writes nothing. */
@Component
public class Blueprints {

    private final LiveReader reader;
    private final ClusterApi api;
    private final ClusterSettings settings;

    public Blueprints(LiveReader reader, ClusterApi api, ClusterSettings settings) {
        this.reader = reader;
        this.api = api;
        this.settings = settings;
    }

    /** The objects in the order in which they are applied; what is wrong goes into the findings. */
    List<Planned> of(WorkloadCluster cluster, Findings findings) {
        Topology topology = cluster.spec().topology();
        TemplateRef template = cluster.spec().templateRef();
        List<Planned> planned = List.of();
        if (topology != null) {
            planned = ofTopology(cluster, topology, findings);
        } else if (template != null) {
            planned = new TemplateBlueprint(cluster, template, reader, findings).objects();
        }
        planned.forEach(one -> one.mark(cluster, settings));
        return planned.stream().sorted(Planned.ORDER).toList();
    }

    private List<Planned> ofTopology(WorkloadCluster cluster, Topology topology, Findings findings) {
        Optional<ResourceType> clusters = kind("Cluster", findings);
        Optional<ResourceType> classes = kind("ClusterClass", findings);
        classes.ifPresent(type -> new ClassRules(reader, findings).check(cluster, topology, type));
        return clusters.map(type -> new Planned(type, TopologyBlueprint.cluster(cluster, topology, type)))
                .map(List::of)
                .orElse(List.of());
    }

    private Optional<ResourceType> kind(String kind, Findings findings) {
        Optional<ResourceType> type = api.type(kind);
        if (type.isEmpty()) {
            findings.problem(
                    "KindAbsent",
                    "spec.topology",
                    "the management cluster does not serve " + kind + "." + ClusterApi.GROUP,
                    "Install Cluster API on the management cluster, with its ClusterTopology feature");
        }
        return type;
    }
}
