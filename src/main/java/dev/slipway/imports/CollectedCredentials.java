package dev.slipway.imports;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.platform.CredentialCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Deletes a cluster's credentials that are too many, after it has written down which.
 *
 * <p>Name and creation time of each go into the annotation {@link #ANNOTATION} of the Cluster API Cluster before anything
 * is removed: unlike an Event or a log line it lasts as long as the cluster, survives {@code clusterctl move}, and whoever
 * looks at a stuck import has the object at hand anyway. The last {@value #LIMIT} are kept.
 */
@Component
public class CollectedCredentials {

    /** The annotation: {@code <name> <creation time>} of each, oldest entry first, separated by commas. */
    public static final String ANNOTATION = WorkloadCluster.ANNOTATION_PREFIX + "collected-credentials";

    static final int LIMIT = 100;

    private static final Logger log = LoggerFactory.getLogger(CollectedCredentials.class);

    private final ImportTargets targets;
    private final ClusterMarks marks;

    public CollectedCredentials(ImportTargets targets, ClusterMarks marks) {
        this.targets = targets;
        this.marks = marks;
    }

    /** The entries of a Cluster: name and creation time of each credential that Slipway has deleted or set out to. */
    public static List<String> of(CapiCluster cluster) {
        String text = cluster.object().annotations().getOrDefault(ANNOTATION, "");
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    /** Writes the credentials down, then deletes those that still have their UIDs. */
    void collect(ImportScene scene, List<CredentialCandidate> credentials) {
        if (credentials.isEmpty()) {
            return;
        }
        record(scene, credentials);
        for (CredentialCandidate credential : credentials) {
            log.info(
                    "Deleting the credential {} (created {}) of {}: it is one too many",
                    credential.name(),
                    credential.created(),
                    scene.target().display());
            scene.platform().delete(credential);
        }
    }

    /** Whether that name was written down. */
    static boolean recorded(ImportTarget target, String name) {
        return of(target.cluster()).stream().anyMatch(entry -> entry.startsWith(name + " "));
    }

    private void record(ImportScene scene, List<CredentialCandidate> credentials) {
        // As it is now: an earlier step of this run may have written to it.
        ImportTarget target = targets.require(scene.context());
        List<String> known = of(target.cluster());
        List<String> entries = new ArrayList<>(known);
        for (CredentialCandidate credential : credentials) {
            String entry = credential.name() + " " + credential.created();
            if (!entries.contains(entry)) {
                entries.add(entry);
            }
        }
        if (!entries.equals(known)) {
            List<String> last = entries.subList(Math.max(0, entries.size() - LIMIT), entries.size());
            marks.annotateUnchanged(target, ANNOTATION, String.join(",", last));
        }
    }

    /** What to say of those that were deleted. */
    static Optional<String> sentence(List<CredentialCandidate> credentials) {
        return credentials.isEmpty()
                ? Optional.empty()
                : Optional.of(credentials.size() + " deleted: "
                        + String.join(
                                ", ",
                                credentials.stream()
                                        .map(credential ->
                                                credential.name() + " (created " + credential.created() + ")")
                                        .toList()));
    }
}
