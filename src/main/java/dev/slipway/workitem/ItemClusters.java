package dev.slipway.workitem;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.WorkloadIdentity;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Opens the cluster on which a work item is installed: the one that was meant, or none. */
@Component
public class ItemClusters {

    private final LiveReader reader;
    private final ClusterApi api;
    private final ImportAccess access;

    public ItemClusters(LiveReader reader, ClusterApi api, ImportAccess access) {
        this.reader = reader;
        this.api = api;
        this.access = access;
    }

    /**
     * A cluster's API.
     *
     * @param uid what flows call the cluster
     * @param workload its API; opened, and known to be the right one
     */
    public record Opened(String uid, Workload workload) {}

    /**
     * Reads the Cluster of that name; empty if it is absent.
     *
     * @throws Failure INVALID {@code KindAbsent} if Cluster API is not served: then nobody knows whether it is there
     */
    public Optional<CapiCluster> find(String namespace, String name) {
        if (reader.find(ClusterApi.GROUP, "Cluster").isEmpty()) {
            throw new Failure(
                    ErrorClass.INVALID,
                    "KindAbsent",
                    "Whether the cluster " + namespace + "/" + name + " exists is unknown: the management cluster does"
                            + " not serve Cluster." + ClusterApi.GROUP,
                    List.of("Install Cluster API, or wait until its API is served again"),
                    null,
                    null);
        }
        return api.cluster(namespace, name);
    }

    /**
     * Runs a step that needs the workload cluster.
     *
     * @return what the step says, or what is awaited before it can be run
     * @throws Failure by class; IDENTITY {@code WrongCluster} if another cluster answers than was imported
     */
    public Outcome in(String namespace, String name, Function<Opened, Outcome> step) {
        Optional<CapiCluster> cluster = find(namespace, name);
        if (cluster.isEmpty()) {
            return Outcome.waiting(
                    "WaitingForCluster", "Cluster " + namespace + "/" + name + " of Cluster API does not exist (yet)");
        }
        if (neverRan(cluster.get())) {
            return Outcome.waiting(
                    "WaitingForControlPlane",
                    "the control plane of " + cluster.get().display() + " is not initialized yet"
                            + suffix(cluster.get().cause("ControlPlaneInitialized")));
        }
        return in(cluster.get(), step);
    }

    /** The same for a Cluster that was just read, whether its control plane has ever been initialized or not. */
    public Outcome in(CapiCluster cluster, Function<Opened, Outcome> step) {
        ImportTarget target = new ImportTarget(ImportTarget.refOf(cluster.object()), cluster);
        return access.open(target)
                .map(workload -> step.apply(new Opened(target.ref().uid(), same(target, workload))))
                .orElseGet(() -> access.waitForKubeconfig(target));
    }

    /** Whether Cluster API builds it, and has not got as far as an API server. */
    public boolean neverRan(CapiCluster cluster) {
        return new ImportTarget(ImportTarget.refOf(cluster.object()), cluster).origin() == ImportTarget.Origin.BUILT
                && !cluster.controlPlaneInitialized();
    }

    /** What was imported under a name must answer, before anything is installed or removed there. */
    private static Workload same(ImportTarget target, Workload workload) {
        String recorded = target.cluster().object().annotations().getOrDefault(PlatformCluster.IDENTITY, "");
        if (!recorded.isEmpty() && !WorkloadIdentity.read(workload.reader()).is(recorded)) {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    "WrongCluster",
                    "Another cluster answers at " + workload.server() + " than the one that was imported as "
                            + target.display() + ": nothing is changed there",
                    List.of("Correct the kubeconfig of " + target.display()),
                    null,
                    null);
        }
        return workload;
    }

    private static String suffix(String cause) {
        return cause.isEmpty() ? "" : ": " + cause;
    }
}
