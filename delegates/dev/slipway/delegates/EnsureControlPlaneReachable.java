package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.TcpProbe;
import dev.slipway.imports.AccessProof;
import dev.slipway.imports.AccessProof.Proven;
import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Proves that the workload cluster's API can be used.
 *
 * <ul>
 *   <li>the control plane of a cluster that is built is initialized, not merely provisioned
 *   <li>the kubeconfig parses, its client certificate and its CA have not expired
 *   <li>the server answers, verified, and knows the caller
 *   <li>a supplied kubeconfig is used from then on that it has passed all this; until then the old one is
 *   <li>an accepted certificate is trusted only if the server presents it
 * </ul>
 */
@Component
public class EnsureControlPlaneReachable implements Phase {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration AGEING = Duration.ofDays(30);

    private final ImportTargets targets;
    private final ImportAccess access;
    private final AccessProof proof;
    private final ClusterMarks marks;
    private final TcpProbe probe;

    public EnsureControlPlaneReachable(
            ImportTargets targets, ImportAccess access, AccessProof proof, ClusterMarks marks, TcpProbe probe) {
        this.targets = targets;
        this.access = access;
        this.proof = proof;
        this.marks = marks;
        this.probe = probe;
    }

    @Override
    public Outcome run(PhaseContext context) {
        ImportTarget target = targets.require(context);
        if (target.origin() == ImportTarget.Origin.BUILT && !target.cluster().controlPlaneInitialized()) {
            return notInitialized(target.cluster());
        }
        String current = access.secretOf(target);
        String wanted = argument(context, Directive.SUPPLY_CREDENTIALS).orElse(current);
        if (!wanted.equals(current)) {
            return supplied(target, wanted, context);
        }
        Optional<Proven> proven =
                proof.prove(target, current, access.acceptedBy(target), accepted(context), context.now());
        return proven.map(found -> use(target, current, found, context.now()))
                .orElseGet(() -> access.waitForKubeconfig(target));
    }

    private Outcome supplied(ImportTarget target, String secret, PhaseContext context) {
        String display = target.namespace() + "/" + secret;
        try {
            // A new kubeconfig brings its own CA: what was accepted for the old one does not count.
            return proof.prove(target, secret, "", accepted(context), context.now())
                    .map(found -> use(target, secret, found, context.now()))
                    .orElseGet(() -> Outcome.blocked(
                            ErrorClass.INVALID,
                            "SuppliedSecretAbsent",
                            "The secret " + display + " that was supplied does not exist; nothing was changed",
                            "Create it with the key 'value', or decide SUPPLY_CREDENTIALS with another name",
                            stay(target)));
        } catch (Failure e) {
            List<String> actions = new ArrayList<>(e.actions());
            actions.add(stay(target));
            throw new Failure(
                    e.errorClass(),
                    e.code(),
                    "The kubeconfig that was supplied with the secret " + display
                            + " does not work, so nothing was changed: " + e.message(),
                    actions,
                    e.retryAfter().orElse(null),
                    e);
        }
    }

    /** The decision holds until another one replaces it. */
    private String stay(ImportTarget target) {
        return "To stay with the present kubeconfig: decide SUPPLY_CREDENTIALS with " + access.secretOf(target);
    }

    private Outcome use(ImportTarget target, String secret, Proven found, Instant now) {
        String annotated = secret.equals(access.secretOf(target))
                ? target.cluster().object().annotations().getOrDefault(ImportAccess.KUBECONFIG_SECRET, "")
                : secret;
        marks.annotate(
                target, Map.of(ImportAccess.KUBECONFIG_SECRET, annotated, ImportAccess.ACCEPTED_CA, found.authority()));
        String trust = found.authority().isEmpty() ? "the kubeconfig's CA" : "the certificate that was accepted";
        return Outcome.done(found.workload().server() + " runs " + found.version() + ", verified with " + trust
                + " and the secret " + secret + "; " + life(found.workload().expires(), now));
    }

    private static String life(Optional<Instant> expires, Instant now) {
        if (expires.isEmpty()) {
            return "when its credentials expire is not known";
        }
        Duration left = Duration.between(now, expires.get());
        String end = "its client certificate holds until " + expires.get();
        return left.compareTo(AGEING) < 0
                ? "WARNING: " + end + ", " + left.toDays() + " days more: renew the kubeconfig, or supply another"
                : end;
    }

    private Outcome notInitialized(CapiCluster cluster) {
        String observation = "the control plane of " + cluster.display() + " is not initialized yet";
        String cause = cluster.cause("InfrastructureReady", "ControlPlaneInitialized", "ControlPlaneAvailable");
        Optional<Outcome.Waiting> missing = cluster.endpoint().flatMap(endpoint -> probe.connect(endpoint, DEADLINE));
        return missing.map(waiting -> Outcome.waiting(
                        "ApiUnreachable", Observation.of(observation + ", " + waiting.message(), cause)))
                .orElseGet(
                        () -> Outcome.waiting("WaitingForControlPlaneInitialized", Observation.of(observation, cause)));
    }

    private static Optional<String> accepted(PhaseContext context) {
        return argument(context, Directive.ACCEPT_CA);
    }

    private static Optional<String> argument(PhaseContext context, Directive directive) {
        return context.directive(directive).map(String::strip).filter(text -> !text.isEmpty());
    }
}
