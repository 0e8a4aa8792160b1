package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares what Helm would install with what it installed, and asks the server about the difference. */
final class Planner {

    private static final Set<ErrorClass> OBJECTIONS =
            Set.of(ErrorClass.INVALID, ErrorClass.ADMISSION, ErrorClass.IDENTITY);
    /** Both come with the installation itself. */
    private static final Set<String> NOT_YET = Set.of("NamespaceAbsent", "KindAbsent");

    private final ReleaseTarget target;
    private final Kinds kinds;

    Planner(ReleaseTarget target) {
        this.target = target;
        this.kinds = new Kinds(target.workload().reader());
    }

    Plan plan(String installed, String rendered) {
        Map<ObjectId, KubeObject> before = objects("the installed release", installed);
        Map<ObjectId, KubeObject> after = objects("the rendered chart", rendered);
        List<Plan.Change> changes = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        after.forEach((id, object) -> {
            KubeObject old = before.get(id);
            List<String> fields = old == null ? List.of() : Differences.between(old.json(), object.json());
            if (old == null || !fields.isEmpty()) {
                changes.add(new Plan.Change(old == null ? Plan.Kind.ADD : Plan.Kind.CHANGE, id, fields));
                objection(object).ifPresent(problems::add);
            }
        });
        before.keySet().stream()
                .filter(id -> !after.containsKey(id))
                .forEach(id -> changes.add(new Plan.Change(Plan.Kind.REMOVE, id, List.of())));
        return new Plan(changes, problems);
    }

    private Map<ObjectId, KubeObject> objects(String origin, String manifest) {
        Map<ObjectId, KubeObject> objects = new LinkedHashMap<>();
        for (KubeObject object : ManifestYaml.parse(origin, manifest)) {
            KubeObject placed = kinds.of(object)
                    .map(type -> Kinds.placed(object, type, target.release().namespace()))
                    .orElse(object);
            objects.put(ObjectId.of(placed), placed);
        }
        return objects;
    }

    private Optional<String> objection(KubeObject object) {
        Optional<ResourceType> type = kinds.of(object);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        try {
            target.workload().writer().dryRunApply(type.get(), object);
            return Optional.empty();
        } catch (Failure e) {
            if (!OBJECTIONS.contains(e.errorClass())) {
                throw e;
            }
            return NOT_YET.contains(e.code()) ? Optional.empty() : Optional.of(e.message());
        }
    }
}
