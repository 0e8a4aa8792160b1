package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/**
 * Takes back what the import made in a workload cluster: by exact name, and only what was made for this cluster.
 *
 * <p>The rights first, then the account, its tokens, and last the namespace: only if Slipway made it and nothing else is
 * in it. What is not there is done.
 */
@Component
public class SentryRemoval {

    private final SentrySettings settings;
    private final NamespaceContents contents;

    public SentryRemoval(SentrySettings settings) {
        this.settings = settings;
        this.contents = new NamespaceContents(settings);
    }

    /**
     * What became of one object.
     *
     * @param what the object, for people
     * @param state how it stands
     * @param why what holds or keeps it; empty if it is gone
     */
    public record Result(String what, State state, String why) {}

    /** How an object stands after its removal was tried. */
    public enum State {
        /** It is not there any more. */
        GONE,
        /** It was deleted and is still there. */
        GOING,
        /** It was not made by Slipway for this cluster, or others are in it. */
        KEPT
    }

    /** One object of the account. */
    private record Part(ResourceType type, String namespace, String name) {

        String display() {
            return type.kind() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name + " of the workload cluster";
        }
    }

    /** All that there can be, for people. */
    public List<String> names() {
        List<String> names = new ArrayList<>(parts().stream().map(Part::display).toList());
        names.add(namespace().display());
        return names;
    }

    /**
     * Deletes one object after the other.
     *
     * @param found told of each object of this cluster before it is deleted
     * @return what became of those that were there
     */
    public List<Result> remove(ClusterRef cluster, Workload workload, Consumer<String> found) {
        List<Result> results = new ArrayList<>();
        for (Part part : parts()) {
            read(workload, part).ifPresent(object -> results.add(remove(cluster, workload, part, found)));
        }
        Optional<KubeObject> namespace = read(workload, namespace());
        if (namespace.isPresent()) {
            results.add(removeNamespace(cluster, workload, namespace.get(), found));
        }
        return results;
    }

    private Result removeNamespace(
            ClusterRef cluster, Workload workload, KubeObject namespace, Consumer<String> found) {
        Part part = namespace();
        if (!namespace.deleting() && Ownership.isOfName(namespace, cluster)) {
            List<String> others = contents.others(workload);
            if (!others.isEmpty()) {
                return new Result(part.display(), State.KEPT, "others are in it: " + String.join(", ", others));
            }
        }
        return remove(cluster, workload, part, found);
    }

    private static Result remove(ClusterRef cluster, Workload workload, Part part, Consumer<String> found) {
        Optional<KubeObject> object = read(workload, part);
        if (object.isPresent() && !Ownership.isOfName(object.get(), cluster)) {
            return new Result(part.display(), State.KEPT, "it was not made by Slipway for this cluster");
        }
        if (object.isPresent() && !object.get().deleting()) {
            found.accept(part.display());
            workload.writer()
                    .delete(
                            part.type(),
                            part.namespace(),
                            part.name(),
                            object.get().uid());
        }
        return read(workload, part)
                .map(left -> new Result(part.display(), State.GOING, heldBy(left)))
                .orElseGet(() -> new Result(part.display(), State.GONE, ""));
    }

    private static String heldBy(KubeObject left) {
        List<String> finalizers = new ArrayList<>(left.finalizers());
        left.at("spec", "finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
        return finalizers.isEmpty() ? "it is being deleted" : "held by " + String.join(", ", finalizers);
    }

    private static Optional<KubeObject> read(Workload workload, Part part) {
        return workload.reader().get(part.type(), part.namespace(), part.name());
    }

    private Part namespace() {
        return new Part(ResourceType.NAMESPACES, "", settings.namespace());
    }

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(ResourceType.CLUSTER_ROLE_BINDINGS, "", settings.bindingName()));
        if (settings.makesRole()) {
            parts.add(new Part(ResourceType.CLUSTER_ROLES, "", settings.roleName()));
        }
        parts.add(new Part(ResourceType.SERVICE_ACCOUNTS, settings.namespace(), settings.serviceAccount()));
        TokenSecrets.names(settings)
                .forEach(name -> parts.add(new Part(ResourceType.SECRETS, settings.namespace(), name)));
        return parts;
    }
}
