package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ObjectRef;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.PhaseContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Finds, live, what of a cluster costs money: machines and all that makes machines, its control plane, its infrastructure.
 *
 * <p>By the names that the Cluster refers to, by Cluster API's label, and by owner; over all kinds that the groups serve
 * now. Templates, which Kubernetes collects after the Cluster, do not count.
 */
@Component
public class Descendants {

    private static final List<String> OWN_KINDS = List.of("Machine", "MachineSet", "MachineDeployment");
    private static final String OPTIONAL_KIND = "MachinePool";
    private static final List<String> PROVIDER_GROUPS =
            List.of("controlplane.cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io");

    private final LiveReader reader;

    public Descendants(LiveReader reader) {
        this.reader = reader;
    }

    /**
     * What was found.
     *
     * @param remaining the objects
     * @param absentKinds kinds that the Cluster refers to and that nobody serves: whether such objects are left, nobody
     *     knows
     */
    public record Found(Remaining remaining, List<String> absentKinds) {}

    /**
     * Where to look.
     *
     * @param references what the Cluster refers to
     * @param groups the groups of providers
     */
    public record Scope(List<ObjectRef> references, Set<String> groups) {

        /** As the facts have it. */
        static Scope of(PhaseContext context) {
            List<ObjectRef> references = words(context, DeletionFacts.REFS)
                    .map(text -> text.split("\\|", -1))
                    .filter(parts -> parts.length == 3)
                    .map(parts -> new ObjectRef(parts[0], parts[1], parts[2]))
                    .toList();
            return new Scope(
                    references, words(context, DeletionFacts.GROUPS).collect(Collectors.toCollection(TreeSet::new)));
        }

        /** This and what another one has. */
        Scope with(Scope other) {
            Set<ObjectRef> all = new LinkedHashSet<>(references);
            all.addAll(other.references);
            Set<String> allGroups = new TreeSet<>(groups);
            allGroups.addAll(other.groups);
            return new Scope(List.copyOf(all), allGroups);
        }

        String referencesText() {
            return references.stream()
                    .map(ref -> ref.group() + "|" + ref.kind() + "|" + ref.name())
                    .collect(Collectors.joining(" "));
        }

        String groupsText() {
            return String.join(" ", groups);
        }

        private static Stream<String> words(PhaseContext context, String fact) {
            return Arrays.stream(context.fact(fact).orElse("").split(" ", -1)).filter(word -> !word.isEmpty());
        }
    }

    /** Where to look for the descendants of that Cluster. */
    public Scope scope(CapiCluster cluster) {
        List<ObjectRef> references = Stream.of(cluster.controlPlaneRef(), cluster.infrastructureRef())
                .flatMap(Optional::stream)
                .toList();
        Set<String> groups = new TreeSet<>();
        references.forEach(ref -> groups.add(ref.group()));
        reader
                .find(ClusterApi.GROUP, "Machine")
                .map(type -> reader.list(type, cluster.namespace(), Map.of()))
                .orElse(List.of())
                .stream()
                .filter(machine -> isOf(machine, cluster.name(), Set.of(cluster.uid())))
                .forEach(machine -> groups.add(groupOf(machine)));
        groups.remove("");
        return new Scope(references, groups);
    }

    /** What is left of the cluster, in the scope that was recorded and that of the Cluster as it is. */
    public Found of(PhaseContext context, DeletionSubject subject) {
        Scope recorded = Scope.of(context);
        Scope scope =
                subject.cluster().map(cluster -> recorded.with(scope(cluster))).orElse(recorded);
        Set<String> owners = Stream.concat(
                        subject.cluster().map(CapiCluster::uid).stream(),
                        context.fact(DeletionFacts.CLUSTER_UID).stream())
                .filter(uid -> !uid.isEmpty())
                .collect(Collectors.toSet());
        return of(subject, scope, owners);
    }

    Found of(DeletionSubject subject, Scope scope, Set<String> owners) {
        String namespace = subject.ref().namespace();
        Map<String, KubeObject> found = new LinkedHashMap<>();
        List<String> absent = new ArrayList<>();
        for (ObjectRef ref : scope.references()) {
            Optional<ResourceType> type = reader.find(ref.group(), ref.kind());
            if (type.isEmpty()) {
                absent.add(ref.kind() + "." + ref.group());
            } else if (!ref.name().isEmpty()) {
                reader.get(type.get(), namespace, ref.name()).ifPresent(object -> found.put(object.uid(), object));
            }
        }
        OWN_KINDS.stream()
                .filter(kind -> reader.find(ClusterApi.GROUP, kind).isEmpty())
                .forEach(kind -> absent.add(kind + "." + ClusterApi.GROUP));
        for (ResourceType type : kinds(scope)) {
            reader.list(type, namespace, Map.of()).stream()
                    .filter(object -> isOf(object, subject.ref().name(), owners))
                    .forEach(object -> found.put(object.uid(), object));
        }
        return new Found(new Remaining(List.copyOf(found.values())), List.copyOf(absent));
    }

    private List<ResourceType> kinds(Scope scope) {
        List<ResourceType> kinds = new ArrayList<>();
        OWN_KINDS.forEach(kind -> reader.find(ClusterApi.GROUP, kind).ifPresent(kinds::add));
        reader.find(ClusterApi.GROUP, OPTIONAL_KIND).ifPresent(kinds::add);
        Set<String> groups = new TreeSet<>(scope.groups());
        groups.addAll(PROVIDER_GROUPS);
        groups.remove(ClusterApi.GROUP);
        for (String group : groups) {
            reader.kinds(group).stream()
                    .filter(type -> type.namespaced() && !type.kind().endsWith("Template"))
                    .forEach(kinds::add);
        }
        return kinds;
    }

    /** By label, by the field of machines, or by owner: any one suffices. */
    private static boolean isOf(KubeObject object, String cluster, Set<String> owners) {
        if (cluster.equals(object.labels().get(ClusterApi.CLUSTER_NAME_LABEL))
                || object.text("spec", "clusterName").filter(cluster::equals).isPresent()) {
            return true;
        }
        for (var owner : object.at("metadata", "ownerReferences")) {
            if (owners.contains(owner.path("uid").asText())) {
                return true;
            }
        }
        return false;
    }

    private static String groupOf(KubeObject machine) {
        String apiVersion =
                machine.text("spec", "infrastructureRef", "apiVersion").orElse("");
        int slash = apiVersion.indexOf('/');
        return machine.text("spec", "infrastructureRef", "apiGroup")
                .orElse(slash < 0 ? "" : apiVersion.substring(0, slash));
    }
}
