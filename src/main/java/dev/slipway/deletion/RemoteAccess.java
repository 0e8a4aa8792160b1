package dev.slipway.deletion;

import dev.slipway.imports.AccessProof;
import dev.slipway.imports.AccessProof.Proven;
import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.WorkloadIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds out whether the workload cluster can be worked in, and for how long that is worth waiting for. */
@Component
public class RemoteAccess {

    private static final String SKIP = "To go on without it: decide SKIP_REMOTE; the receipt lists what stays there";

    private final ImportAccess access;
    private final AccessProof proofs;
    private final ClusterMarks marks;
    private final DeletionSettings settings;

    public RemoteAccess(ImportAccess access, AccessProof proofs, ClusterMarks marks, DeletionSettings settings) {
        this.access = access;
        this.proofs = proofs;
        this.marks = marks;
        this.settings = settings;
    }

    /** Looks; done with the fact {@link DeletionFacts#REMOTE} once that is decided. */
    public Outcome look(PhaseContext context, DeletionSubject subject) {
        if (context.directive(Directive.SKIP_REMOTE).isPresent()) {
            return decided(Remote.SKIPPED, "an operator decided to go on without the workload cluster");
        }
        Optional<ImportTarget> target = subject.target();
        if (target.isEmpty()) {
            return decided(
                    Remote.IMPOSSIBLE,
                    "the Cluster " + subject.ref().display() + " is gone: nothing leads into the workload cluster");
        }
        String secret = context.directive(Directive.SUPPLY_CREDENTIALS).orElseGet(() -> access.secretOf(target.get()));
        try {
            return prove(context, target.get(), secret)
                    .map(proven -> known(context, target.get(), secret, proven))
                    .orElseGet(() -> withoutKubeconfig(context, target.get(), secret));
        } catch (Failure e) {
            return unreachable(context, e);
        }
    }

    /** Opens the workload cluster; empty without a kubeconfig. */
    public Optional<Workload> open(PhaseContext context, DeletionSubject subject) {
        return subject.target()
                .flatMap(target -> access.open(
                        target,
                        context.fact(DeletionFacts.KUBECONFIG).orElseGet(() -> access.secretOf(target)),
                        access.acceptedBy(target)));
    }

    /** Whether the cluster that answers is the one that was registered; one that never was is any. */
    public static boolean isRegistered(PhaseContext context, Workload workload) {
        String recorded = context.fact(DeletionFacts.IDENTITY).orElse("");
        return recorded.isEmpty() || WorkloadIdentity.read(workload.reader()).is(recorded);
    }

    private Optional<Proven> prove(PhaseContext context, ImportTarget target, String secret) {
        return proofs.prove(
                target, secret, access.acceptedBy(target), context.directive(Directive.ACCEPT_CA), context.now());
    }

    private Outcome known(PhaseContext context, ImportTarget target, String secret, Proven proven) {
        if (!isRegistered(context, proven.workload())) {
            return decided(
                            Remote.WRONG_IDENTITY,
                            "at " + proven.workload().server() + " another cluster answers than the registered one,"
                                    + " which is "
                                    + context.fact(DeletionFacts.IDENTITY).orElse("")
                                    + ": nothing is deleted there")
                    .with(DeletionFacts.KUBECONFIG, secret);
        }
        // Others that work in the cluster, the deletions of its WorkItems, find the way by these.
        marks.annotate(
                target,
                Map.of(
                        ImportAccess.KUBECONFIG_SECRET,
                        secret.equals(target.name() + "-kubeconfig") ? "" : secret,
                        ImportAccess.ACCEPTED_CA,
                        proven.authority()));
        return decided(Remote.REACHABLE, proven.workload().server() + " answers, version " + proven.version())
                .with(DeletionFacts.KUBECONFIG, secret);
    }

    private Outcome withoutKubeconfig(PhaseContext context, ImportTarget target, String secret) {
        String what = "the secret " + target.namespace() + "/" + secret + " with the kubeconfig does not exist";
        Instant until = until(context);
        if (context.now().isBefore(until)) {
            return Outcome.waiting(
                    "KubeconfigMissing",
                    what + "; put it there, or decide SUPPLY_CREDENTIALS or SKIP_REMOTE; at " + until
                            + " the deletion goes on without the workload cluster");
        }
        return decided(Remote.IMPOSSIBLE, what);
    }

    private Outcome unreachable(PhaseContext context, Failure failure) {
        ErrorClass errorClass = failure.errorClass();
        if (errorClass == ErrorClass.CONTENTION || errorClass == ErrorClass.AUTH) {
            throw helped(failure);
        }
        Instant until = until(context);
        if (context.now().isBefore(until)) {
            if (errorClass != ErrorClass.TRANSIENT) {
                throw helped(failure);
            }
            return Outcome.waiting("WaitingForWorkloadCluster", failure.message() + " It is waited for until " + until);
        }
        if (settings.whenUnreachable() == DeletionSettings.WhenUnreachable.SKIP_REMOTE) {
            return decided(Remote.SKIPPED, failure.message() + " slipway.delete.when-unreachable is skip-remote");
        }
        return Outcome.blocked(
                errorClass,
                errorClass == ErrorClass.TRANSIENT ? "WorkloadUnreachable" : failure.code(),
                failure.message(),
                helped(failure).actions().toArray(String[]::new));
    }

    private Instant until(PhaseContext context) {
        return ForceGate.requestedAt(context).plus(settings.unreachableGrace());
    }

    /** The same, with the decisions that help. */
    private static Failure helped(Failure failure) {
        List<String> actions = new ArrayList<>(failure.actions());
        actions.add("If another kubeconfig leads into it: decide SUPPLY_CREDENTIALS with the name of its secret");
        actions.add(SKIP);
        return new Failure(
                failure.errorClass(),
                failure.code(),
                failure.message(),
                actions,
                failure.retryAfter().orElse(null),
                failure);
    }

    private static Outcome.Done decided(Remote remote, String message) {
        return Outcome.done(message).with(DeletionFacts.REMOTE, remote.text());
    }
}
