package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks, live, which objects of a release or of an inventory are not ready. */
public final class ReadinessProbe {

    private static final Readiness ABSENT = new Readiness(Readiness.State.IN_PROGRESS, "it is not there");

    /** Kinds whose objects end, and may be removed then. */
    private static final Set<String> PASSING = Set.of("Job", "Pod");

    private static final String RESOURCE_POLICY = "helm.sh/resource-policy";

    private final LiveReader reader;
    private final Kinds kinds;

    public ReadinessProbe(LiveReader reader) {
        this.reader = reader;
        this.kinds = new Kinds(reader);
    }

    /** The objects of a release that are not ready, each with why. */
    public Map<ObjectId, Readiness> notReady(InstalledRelease release) {
        return notReady(objects(release).stream().map(ReleaseObject::id).toList());
    }

    /** The objects of which a release consists. */
    List<ReleaseObject> objects(InstalledRelease release) {
        return ManifestYaml.parse("the release " + release.release().display(), release.manifest()).stream()
                .map(object -> kinds.of(object)
                        .map(type ->
                                Kinds.placed(object, type, release.release().namespace()))
                        .orElse(object))
                .map(object -> new ReleaseObject(
                        ObjectId.of(object), "keep".equals(object.annotations().get(RESOURCE_POLICY))))
                .toList();
    }

    /** Whether an object is not there that should stay: Jobs and Pods are removed when they have done their work. */
    boolean isAbsent(ObjectId id) {
        return !PASSING.contains(id.kind()) && of(id).equals(ABSENT);
    }

    /** The live object; empty if it is absent, or its kind is not served. */
    public Optional<KubeObject> find(ObjectId id) {
        return kinds.of(id).flatMap(type -> reader.get(type, id.namespace(), id.name()));
    }

    /** Those of the objects that are not ready, each with why. */
    public Map<ObjectId, Readiness> notReady(List<ObjectId> ids) {
        Map<ObjectId, Readiness> found = new LinkedHashMap<>();
        for (ObjectId id : ids) {
            Readiness readiness = of(id);
            if (readiness.state() != Readiness.State.READY) {
                found.put(id, readiness);
            }
        }
        return found;
    }

    private Readiness of(ObjectId id) {
        return find(id).map(Readiness::of).orElse(ABSENT);
    }
}
