package dev.slipway.helm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plain manifests on a workload cluster: applied on the server, with an inventory of what they made.
 *
 * <p>Objects that vanish from the manifests are deleted, if the installation made them; namespaces and CRDs never are,
 * for they take with them what others made. Every method may be repeated.
 */
public final class ManifestInstaller {

    private final Workload workload;
    private final Kinds kinds;

    public ManifestInstaller(Workload workload) {
        this.workload = workload;
        this.kinds = new Kinds(workload.reader());
    }

    /** An object with how its kind is served. */
    private record Placed(ObjectId id, ResourceType type, KubeObject object) {}

    /** What is installed, in the order in which it was applied. */
    public List<ObjectId> installed(ReleaseName name) {
        return Inventory.read(workload, name).ids();
    }

    /** The same, and which of them a removal leaves: what was there before, and what holds what others made. */
    public List<ReleaseObject> objects(ReleaseName name) {
        return Inventory.read(workload, name).entries().values().stream()
                .map(entry -> new ReleaseObject(
                        entry.id(), entry.adopted() || entry.id().holdsOthers()))
                .toList();
    }

    /**
     * Makes the cluster have these objects and no others of this installation.
     *
     * @param name the installation; its namespace takes objects without one, and the inventory
     * @param origin where the manifests are from, for messages
     * @param yaml the manifests
     * @return underway while kinds of its own CRDs are not served yet
     * @throws Failure by class; IDENTITY {@code ObjectTaken} if an object belongs to another installation
     */
    public Progress apply(ReleaseName name, String origin, String yaml) {
        List<KubeObject> objects = new ArrayList<>(ManifestYaml.parse(origin, yaml));
        objects.sort(Comparator.comparing(object -> !ObjectId.of(object).holdsOthers()));
        ensureNamespace(name);
        Inventory before = Inventory.read(workload, name);
        List<KubeObject> unserved = new ArrayList<>();
        Map<ObjectId, Placed> placed = placed(name, objects, unserved);
        Optional<Progress> unfinished = unserved.stream().findFirst().map(object -> waitFor(object, objects));
        Inventory all = before.with(entries(before, placed.values()));
        if (!all.equals(before)) {
            all.write(workload);
        }
        placed.values().forEach(each -> workload.writer().apply(each.type(), marked(name, each.object())));
        if (unfinished.isPresent()) {
            return unfinished.get();
        }
        prune(name, all, placed.keySet());
        return new Progress.Done();
    }

    /**
     * Deletes what an installation made, the last object first, and the inventory when all is gone.
     *
     * @return underway while objects are still there
     */
    public Progress delete(ReleaseName name) {
        Inventory inventory = Inventory.read(workload, name);
        List<ObjectId> ids = new ArrayList<>(inventory.ids());
        Collections.reverse(ids);
        for (ObjectId id : ids) {
            remove(name, inventory, id);
        }
        for (ObjectId id : ids) {
            if (deletable(name, inventory, id).isPresent()) {
                return new Progress.Underway("WaitingForDeletion", "The " + id.display() + " is being deleted.");
            }
        }
        inventory.delete(workload);
        return new Progress.Done();
    }

    /**
     * Says what {@link #apply} would change; changes nothing. So it finds what somebody else changed as well.
     *
     * @throws Failure by class, as {@link #apply}
     */
    public Plan plan(ReleaseName name, String origin, String yaml) {
        List<KubeObject> objects = ManifestYaml.parse(origin, yaml);
        Inventory inventory = Inventory.read(workload, name);
        List<KubeObject> unserved = new ArrayList<>();
        Map<ObjectId, Placed> placed = placed(name, objects, unserved);
        List<Plan.Change> changes = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        unserved.forEach(object -> changes.add(new Plan.Change(Plan.Kind.ADD, ObjectId.of(object), List.of())));
        for (Placed each : placed.values()) {
            change(name, each, problems).ifPresent(changes::add);
        }
        for (ObjectId id : inventory.ids()) {
            if (!placed.containsKey(id) && deletable(name, inventory, id).isPresent()) {
                changes.add(new Plan.Change(Plan.Kind.REMOVE, id, List.of()));
            }
        }
        return new Plan(changes, problems);
    }

    private Optional<Plan.Change> change(ReleaseName name, Placed each, List<String> problems) {
        Optional<KubeObject> live = workload.reader()
                .get(each.type(), each.id().namespace(), each.id().name());
        try {
            KubeObject after = workload.writer().dryRunApply(each.type(), marked(name, each.object()));
            List<String> fields = live.map(before -> Differences.between(comparable(before), comparable(after)))
                    .orElse(List.of());
            if (live.isPresent() && fields.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Plan.Change(live.isEmpty() ? Plan.Kind.ADD : Plan.Kind.CHANGE, each.id(), fields));
        } catch (Failure e) {
            if (e.code().equals("NamespaceAbsent")) {
                return Optional.of(new Plan.Change(Plan.Kind.ADD, each.id(), List.of()));
            }
            if (e.errorClass() != ErrorClass.INVALID && e.errorClass() != ErrorClass.ADMISSION) {
                throw e;
            }
            problems.add(e.message());
            return Optional.of(
                    new Plan.Change(live.isEmpty() ? Plan.Kind.ADD : Plan.Kind.CHANGE, each.id(), List.of()));
        }
    }

    private static ObjectNode comparable(KubeObject object) {
        ObjectNode json = object.json().deepCopy();
        json.withObject("metadata").remove(List.of("managedFields", "resourceVersion", "generation"));
        json.remove("status");
        return json;
    }

    private void ensureNamespace(ReleaseName name) {
        if (workload.reader().get(ResourceType.NAMESPACES, "", name.namespace()).isEmpty()) {
            workload.writer()
                    .create(ResourceType.NAMESPACES, KubeObject.named(ResourceType.NAMESPACES, "", name.namespace()));
        }
    }

    private Map<ObjectId, Placed> placed(ReleaseName name, List<KubeObject> objects, List<KubeObject> unserved) {
        Map<ObjectId, Placed> placed = new LinkedHashMap<>();
        for (KubeObject object : objects) {
            Optional<ResourceType> type = kinds.of(object);
            if (type.isEmpty()) {
                unserved.add(object);
            } else {
                KubeObject home = Kinds.placed(object, type.get(), name.namespace());
                placed.put(ObjectId.of(home), new Placed(ObjectId.of(home), type.get(), home));
            }
        }
        return placed;
    }

    /** What was not in the inventory yet; looks whether it is there already, and whose it is. */
    private List<Inventory.Entry> entries(Inventory before, Iterable<Placed> placed) {
        List<Inventory.Entry> entries = new ArrayList<>();
        for (Placed each : placed) {
            Optional<KubeObject> live = workload.reader()
                    .get(each.type(), each.id().namespace(), each.id().name());
            String owner = live.map(ManifestInstaller::owner).orElse("");
            if (!owner.isEmpty() && !owner.equals(before.name().display())) {
                throw new Failure(
                        ErrorClass.IDENTITY,
                        "ObjectTaken",
                        "The " + each.id().display() + " belongs to the installation " + owner + ", not to "
                                + before.name().display() + ".",
                        List.of("Take it out of one of the two."),
                        null,
                        null);
            }
            entries.add(new Inventory.Entry(each.id(), live.isPresent() && owner.isEmpty()));
        }
        return entries;
    }

    private void prune(ReleaseName name, Inventory all, Set<ObjectId> wanted) {
        Set<ObjectId> remaining = new HashSet<>(wanted);
        for (ObjectId id : all.ids()) {
            if (!wanted.contains(id)) {
                remove(name, all, id);
                // Its finalizers may take their time: it stays known until it is gone.
                deletable(name, all, id).ifPresent(still -> remaining.add(id));
            }
        }
        Inventory after = all.only(remaining);
        if (!after.equals(all)) {
            after.write(workload);
        }
    }

    private void remove(ReleaseName name, Inventory inventory, ObjectId id) {
        deletable(name, inventory, id).filter(object -> !object.deleting()).ifPresent(object -> workload.writer()
                .delete(kinds.of(id).orElseThrow(), id.namespace(), id.name(), object.uid()));
    }

    /** The live object, if it is there and this installation made it. */
    private Optional<KubeObject> deletable(ReleaseName name, Inventory inventory, ObjectId id) {
        Inventory.Entry entry = inventory.entries().get(id);
        if (id.holdsOthers() || entry == null || entry.adopted()) {
            return Optional.empty();
        }
        return kinds.of(id)
                .flatMap(type -> workload.reader().get(type, id.namespace(), id.name()))
                .filter(object -> owner(object).equals(name.display()));
    }

    private static String owner(KubeObject object) {
        return object.annotations().getOrDefault(Inventory.ANNOTATION, "");
    }

    private static KubeObject marked(ReleaseName name, KubeObject object) {
        ObjectNode json = object.json().deepCopy();
        json.withObject("metadata").withObject("annotations").put(Inventory.ANNOTATION, name.display());
        return new KubeObject(json);
    }

    private static Progress waitFor(KubeObject object, List<KubeObject> objects) {
        String kind = object.kind() + " of " + object.apiVersion();
        boolean ours = objects.stream()
                .filter(each -> each.kind().equals("CustomResourceDefinition"))
                .anyMatch(each -> each.at("spec", "names", "kind").asText().equals(object.kind())
                        && each.at("spec", "group").asText().equals(ObjectId.group(object)));
        if (ours) {
            return new Progress.Underway("WaitingForKind", "The cluster does not serve " + kind + " yet.");
        }
        throw new Failure(
                ErrorClass.INVALID,
                "KindAbsent",
                "The manifests hold a " + kind + ", " + object.name() + ", which the cluster does not serve.",
                List.of("Install the CRD of that kind first."),
                null,
                null);
    }
}
