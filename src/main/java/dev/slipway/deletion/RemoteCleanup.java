package dev.slipway.deletion;

import dev.slipway.imports.RegistrationMark;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import dev.slipway.sentry.SentryRemoval;
import dev.slipway.sentry.SentryRemoval.Result;
import dev.slipway.sentry.SentryRemoval.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Takes back what the import made in the workload cluster, or writes down that it stays there. */
@Component
public class RemoteCleanup {

    private final DeletionReceipt receipt;
    private final SentryRemoval sentry;

    public RemoteCleanup(DeletionReceipt receipt, SentryRemoval sentry) {
        this.receipt = receipt;
        this.sentry = sentry;
    }

    /** Writes down that all of it stays. */
    public Outcome leave(PhaseContext context, String why) {
        for (String name : names()) {
            boolean dealtWith = receipt.find(context, name)
                    .filter(entry -> entry.fate() == Fate.DELETED || entry.fate() == Fate.KEPT)
                    .isPresent();
            if (!dealtWith) {
                receipt.note(context, name, Fate.LEFT, why);
            }
        }
        return Outcome.done("nothing was deleted in the workload cluster: " + why);
    }

    /** Deletes what was made for this cluster; waits while some of it is held. */
    public Outcome remove(PhaseContext context, Workload workload) {
        List<String> going = new ArrayList<>();
        mark(context, workload).ifPresent(going::add);
        for (Result result : sentry.remove(context.cluster(), workload, what -> receipt.found(context, what))) {
            if (result.state() == State.KEPT) {
                receipt.note(context, result.what(), Fate.KEPT, result.why());
            } else if (result.state() == State.GOING) {
                going.add(result.what() + ", " + result.why());
            }
        }
        if (!going.isEmpty()) {
            return Outcome.waiting("WaitingForRemoteObjectsGone", "still there: " + String.join("; ", going));
        }
        names().forEach(name -> receipt.gone(context, name));
        return Outcome.done("nothing that Slipway made is left in the workload cluster");
    }

    /** The mark is ours if the cluster is the one that was registered; what nobody registered may be another's. */
    private Optional<String> mark(PhaseContext context, Workload workload) {
        Optional<KubeObject> mark = RegistrationMark.read(workload);
        if (mark.isEmpty()) {
            return Optional.empty();
        }
        if (context.fact(DeletionFacts.IDENTITY).orElse("").isEmpty()) {
            receipt.note(context, RegistrationMark.DISPLAY, Fate.KEPT, "nothing says that this registration made it");
            return Optional.empty();
        }
        receipt.found(context, RegistrationMark.DISPLAY);
        return RegistrationMark.remove(workload)
                .map(left -> RegistrationMark.DISPLAY + ", held by " + String.join(", ", left.finalizers()));
    }

    private List<String> names() {
        List<String> names = new ArrayList<>(sentry.names());
        names.add(RegistrationMark.DISPLAY);
        return names;
    }
}
