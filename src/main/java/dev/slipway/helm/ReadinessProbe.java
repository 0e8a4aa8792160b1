package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks, live, which objects of a release or of an inventory are not ready. */
public final class ReadinessProbe {

    private static final Readiness ABSENT = new Readiness(Readiness.State.IN_PROGRESS, "it is not there");

    private final LiveReader reader;
    private final Kinds kinds;

    public ReadinessProbe(LiveReader reader) {
        this.reader = reader;
        this.kinds = new Kinds(reader);
    }

    /** The objects of a release that are not ready, each with why. */
    public Map<ObjectId, Readiness> notReady(InstalledRelease release) {
        List<ObjectId> ids =
                ManifestYaml.parse("the release " + release.release().display(), release.manifest()).stream()
                        .map(object -> kinds.of(object)
                                .map(type -> Kinds.placed(
                                        object, type, release.release().namespace()))
                                .orElse(object))
                        .map(ObjectId::of)
                        .toList();
        return notReady(ids);
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
        Optional<ResourceType> type = kinds.of(id);
        if (type.isEmpty()) {
            return ABSENT;
        }
        Optional<KubeObject> object = reader.get(type.get(), id.namespace(), id.name());
        return object.map(Readiness::of).orElse(ABSENT);
    }
}
