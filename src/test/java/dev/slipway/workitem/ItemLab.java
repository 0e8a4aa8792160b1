package dev.slipway.workitem;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.delegates.AdmitItemDeletion;
import dev.slipway.delegates.AdmitWorkItem;
import dev.slipway.delegates.EnsureItemDryRunOff;
import dev.slipway.delegates.EnsureItemFinalizerReleased;
import dev.slipway.delegates.EnsureItemPlanned;
import dev.slipway.delegates.EnsureReleaseGone;
import dev.slipway.delegates.EnsureReleaseInstalled;
import dev.slipway.delegates.EnsureReleaseReady;
import dev.slipway.delegates.EnsureReleaseUninstalled;
import dev.slipway.delegates.EnsureWorkItems;
import dev.slipway.delegates.MarkItemDeleting;
import dev.slipway.helm.Helm;
import dev.slipway.imports.ImportAccess;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.ReceiptsInMemory;
import dev.slipway.workitem.ItemProgress.Progress;
import dev.slipway.workitem.ItemProgress.Stage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The phases of work items on a real API server, run one by one; their facts are kept from one to the next. */
final class ItemLab {

    final ItemScene scene;
    final ReceiptsInMemory receipts = new ReceiptsInMemory();
    /** How far work items are said to be; those that are not named are installed. */
    final Map<String, Progress> progress = new HashMap<>();

    final AdmitWorkItem admit;
    final EnsureItemPlanned plan;
    final EnsureReleaseInstalled install;
    final EnsureReleaseReady ready;
    final AdmitItemDeletion admitDeletion;
    final MarkItemDeleting mark;
    final EnsureItemDryRunOff dryRunOff;
    final EnsureReleaseUninstalled uninstall;
    final EnsureReleaseGone gone;
    final EnsureItemFinalizerReleased release;
    final EnsureWorkItems workItems;

    private final Map<String, String> facts = new HashMap<>();
    private final Instant now = Instant.now();

    private ItemLab(ControlPlane management, String kubeconfig) {
        scene = ItemScene.open(management, ControlPlane.shared(), kubeconfig);
        KubeClient client = KubeClient.of(management.apiClient());
        ClusterApi api = new ClusterApi(client);
        LiveItems items = new LiveItems(client);
        ItemProgress how = item -> progress.getOrDefault(item.name(), new Progress(Stage.INSTALLED, "it is installed"));
        ItemClusters clusters = new ItemClusters(client, api, new ImportAccess(client, RealWorkloads.clusters()));
        ItemReleases releases = new ItemReleases(Unpacked.HELM, new ItemInputs(client, new ManifestDownload()));
        ItemReceipts book = new ItemReceipts(receipts, (receipt, subject) -> {});
        ItemNeighbours neighbours = new ItemNeighbours(items, how);
        ItemRemovals removals = new ItemRemovals(items, clusters, book);
        admit = new AdmitWorkItem(items, neighbours, clusters, client);
        plan = new EnsureItemPlanned(items, clusters, releases);
        install = new EnsureReleaseInstalled(items, clusters, releases);
        ready = new EnsureReleaseReady(items, clusters, releases, new ShownRelease(client));
        admitDeletion = new AdmitItemDeletion(removals, neighbours, book);
        mark = new MarkItemDeleting(items, client);
        dryRunOff = new EnsureItemDryRunOff(items, removals, releases);
        uninstall = new EnsureReleaseUninstalled(removals, neighbours, releases, book);
        gone = new EnsureReleaseGone(removals, releases, book);
        release = new EnsureItemFinalizerReleased(items, book, client);
        workItems = new EnsureWorkItems(new LiveClusters(client, api), new DeclaredItems(client, client), how);
    }

    static ItemLab open() {
        return new ItemLab(ControlPlane.shared(), ControlPlane.shared().adminKubeconfig());
    }

    /** Runs a phase once about that object, and keeps its facts if it is done. */
    Outcome run(Phase phase, ObjectNode object) {
        ClusterRef ref = new ClusterRef(
                scene.namespace,
                object.at("/metadata/name").asText(),
                object.at("/metadata/uid").asText());
        PhaseContext context = new PhaseContext(
                ref, "flow", "flow-1", phase.getClass().getSimpleName(), 1, now, now, Duration.ofSeconds(30), facts);
        Outcome outcome = phase.run(context);
        if (outcome instanceof Outcome.Done done) {
            facts.putAll(done.facts());
            facts.remove(PhaseContext.LAST_REASON);
        } else if (outcome instanceof Outcome.Waiting waiting) {
            facts.put(PhaseContext.LAST_REASON, waiting.reason());
        }
        return outcome;
    }

    /** Runs phases until each is done. */
    void done(ObjectNode object, Phase... phases) {
        for (Phase phase : phases) {
            await(phase.getClass().getSimpleName())
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> run(phase, object) instanceof Outcome.Done);
        }
    }

    void forget() {
        facts.clear();
    }

    void fact(String name, String value) {
        facts.put(name, value);
    }

    private static final class Unpacked {
        private static final Helm HELM = new Helm(Clock.systemUTC());

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(HELM::close));
        }
    }
}
