package dev.slipway.delegates;

import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.Remote;
import dev.slipway.deletion.RemoteAccess;
import dev.slipway.deletion.RemoteCleanup;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Directive;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Takes back, in the workload cluster, what the import made there, if the cluster lives on.
 *
 * <ul>
 *   <li>by exact name, and only what was made for this cluster; what is not there is done
 *   <li>the namespace only if Slipway made it and nothing else is in it
 *   <li>a cluster that is deleted takes all of it along; one that is forgotten keeps it
 *   <li>what stays is in the receipt
 * </ul>
 */
@Component
public class EnsureRemoteCleaned implements Phase {

    private final DeletionSubjects subjects;
    private final RemoteAccess access;
    private final RemoteCleanup cleanup;

    public EnsureRemoteCleaned(DeletionSubjects subjects, RemoteAccess access, RemoteCleanup cleanup) {
        this.subjects = subjects;
        this.access = access;
        this.cleanup = cleanup;
    }

    @Override
    public Outcome run(PhaseContext context) {
        DeletionMode mode = DeletionMode.of(context);
        if (mode == DeletionMode.FULL && !Remote.outlivesTheCluster(context)) {
            return Outcome.done("the workload cluster goes as a whole");
        }
        if (mode == DeletionMode.FORGET) {
            return cleanup.leave(context, "the mode Forget does not touch the cluster");
        }
        if (context.directive(Directive.SKIP_REMOTE).isPresent()) {
            return cleanup.leave(context, Remote.SKIPPED.why());
        }
        Remote remote = Remote.of(context);
        if (remote != Remote.REACHABLE) {
            return cleanup.leave(context, remote.why());
        }
        Optional<Workload> workload = access.open(context, subjects.read(context));
        if (workload.isEmpty()) {
            return Outcome.waiting(
                    "WaitingForKubeconfig",
                    "the secret with the kubeconfig is gone; put it back, or decide SKIP_REMOTE");
        }
        return RemoteAccess.isRegistered(context, workload.get())
                ? cleanup.remove(context, workload.get())
                : cleanup.leave(context, Remote.WRONG_IDENTITY.why());
    }
}
