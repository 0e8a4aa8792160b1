package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.deletion.DeletionPreview.Item;
import dev.slipway.imports.RegistrationMark;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.sentry.SentryRemoval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells, by live reads only, what a deletion would meet. Nothing of it is a promise. */
@Component
public class DeletionPreviews {

    private static final String MANAGEMENT = "management";
    private static final String SLIPWAY = "Slipway";
    private static final String DELETE = "delete";
    private static final String KEEP = "keep";

    private final DeletionSubjects subjects;
    private final DeletionRules rules;
    private final Descendants descendants;
    private final ClusterItems items;
    private final ClusterSecrets secrets;
    private final PlatformApi platforms;
    private final SentryRemoval sentry;

    public DeletionPreviews(
            DeletionSubjects subjects,
            DeletionRules rules,
            Descendants descendants,
            ClusterItems items,
            ClusterSecrets secrets,
            PlatformApi platforms,
            SentryRemoval sentry) {
        this.subjects = subjects;
        this.rules = rules;
        this.descendants = descendants;
        this.items = items;
        this.secrets = secrets;
        this.platforms = platforms;
        this.sentry = sentry;
    }

    /**
     * Looks.
     *
     * @param cluster the WorkloadCluster, or the Cluster that nobody declared
     * @param mode in which mode; null: the one that its policy gives
     */
    public DeletionPreview preview(ClusterRef cluster, @Nullable DeletionMode mode) {
        DeletionSubject subject = subjects.read(cluster);
        return preview(subject, rules.mode(subject, Optional.ofNullable(mode)));
    }

    /** The same for a subject that was just read. */
    public DeletionPreview preview(DeletionSubject subject, DeletionMode mode) {
        List<Item> found = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        subject.declared().ifPresent(object -> found.add(item("WorkloadCluster", DELETE, SLIPWAY, List.of(object))));
        found.addAll(byKind(items.of(subject), DELETE, "its own flow"));
        cluster(subject, mode, found, warnings);
        if (subject.nameTaken()) {
            warnings.add("another Cluster has the name " + subject.ref().display()
                    + ": its records and secrets are not touched");
        } else {
            platforms.open().ifPresent(platform -> records(platform, subject, found));
            secrets(subject, mode, found);
        }
        if (mode == DeletionMode.DETACH) {
            List<String> remote = new ArrayList<>(sentry.names());
            remote.add(RegistrationMark.DISPLAY);
            found.add(new Item("objects", "workload", DELETE, SLIPWAY + ", if Slipway made them", remote));
        }
        rules.note(subject, mode).ifPresent(warnings::add);
        return new DeletionPreview(mode, found, warnings);
    }

    private void cluster(DeletionSubject subject, DeletionMode mode, List<Item> found, List<String> warnings) {
        String action = mode == DeletionMode.FULL ? DELETE : KEEP;
        if (!subject.clusterApi()) {
            warnings.add(
                    "the management cluster does not serve Clusters of cluster.x-k8s.io: nobody knows what is left");
        }
        Optional<CapiCluster> cluster = subject.cluster();
        cluster.ifPresent(capi -> {
            found.add(item("Cluster", action, SLIPWAY, List.of(capi.object())));
            Descendants.Found left = descendants.of(subject, descendants.scope(capi), Set.of(capi.uid()));
            found.addAll(byKind(left.remaining().objects(), action, "Cluster API"));
            left.absentKinds()
                    .forEach(kind -> warnings.add(
                            "the kind " + kind + " is not served: whether such objects" + " are left, nobody knows"));
        });
    }

    private static void records(Platform platform, DeletionSubject subject, List<Item> found) {
        String name = subject.ref().name();
        platform.cluster(name)
                .map(PlatformCluster::name)
                .ifPresent(record -> found.add(new Item("Cluster", "platform", DELETE, SLIPWAY, List.of(record))));
        List<String> credentials = platform.credentialsOf(name).stream()
                .map(ClusterCredential::name)
                .toList();
        if (!credentials.isEmpty()) {
            found.add(new Item("ClusterCredential", "platform", DELETE, SLIPWAY, credentials));
        }
    }

    private void secrets(DeletionSubject subject, DeletionMode mode, List<Item> found) {
        boolean full = mode == DeletionMode.FULL;
        List<KubeObject> all = secrets.of(subject.ref());
        List<KubeObject> going = all.stream()
                .filter(secret -> full && ClusterSecrets.generated(secret))
                .toList();
        List<KubeObject> staying =
                all.stream().filter(secret -> !going.contains(secret)).toList();
        found.addAll(byKind(going, DELETE, SLIPWAY));
        found.addAll(byKind(staying, KEEP, "nobody"));
    }

    private static List<Item> byKind(List<KubeObject> objects, String action, String owner) {
        Map<String, List<KubeObject>> kinds =
                objects.stream().collect(Collectors.groupingBy(KubeObject::kind, TreeMap::new, Collectors.toList()));
        return kinds.entrySet().stream()
                .map(entry -> item(entry.getKey(), action, owner, entry.getValue()))
                .toList();
    }

    private static Item item(String kind, String action, String owner, List<KubeObject> objects) {
        return new Item(
                kind,
                MANAGEMENT,
                action,
                owner,
                objects.stream().map(KubeObject::name).sorted().toList());
    }
}
