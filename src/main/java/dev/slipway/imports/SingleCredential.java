package dev.slipway.imports;

import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.CredentialRanking;
import dev.slipway.platform.CredentialRanking.Decision;
import dev.slipway.platform.CredentialRanking.Wishes;
import dev.slipway.platform.PlatformNames;
import dev.slipway.platform.WorkloadIdentity;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Chooses the one credential of a cluster and brings token and CA into it.
 *
 * <p>Which one, in this order:
 *
 * <ul>
 *   <li>the one that an operator said to keep
 *   <li>the one that the platform Cluster refers to, whatever its name: the platform works with it
 *   <li>one that the workload cluster accepts as it is, whatever its name: somebody may work with it whom nobody here knows
 *   <li>else {@code cc-<cluster>}, made if need be: no other is worth more than the one that is found again by its name
 *       after any crash. The others are orphans then
 * </ul>
 */
@Component
public class SingleCredential {

    private final ImportSettings settings;
    private final CredentialProof proofs;

    public SingleCredential(ImportSettings settings, CredentialProof proofs) {
        this.settings = settings;
        this.proofs = proofs;
    }

    /**
     * What came of storing the token.
     *
     * @param kept the credential that holds it and is accepted; empty if something is in the way
     * @param obstacle what is in the way
     */
    record Stored(Optional<ClusterCredential> kept, Optional<Outcome> obstacle) {

        static Stored in(ClusterCredential credential) {
            return new Stored(Optional.of(credential), Optional.empty());
        }

        static Stored not(Outcome obstacle) {
            return new Stored(Optional.empty(), Optional.of(obstacle));
        }
    }

    /** Puts the token into the credential to keep, and proves that credential by a call. */
    Stored store(ImportScene scene, Token token) {
        CredentialInventory inventory = CredentialInventory.read(scene);
        WorkloadIdentity identity = WorkloadIdentity.read(scene.workload().reader());
        // Before anything is written: a credential that another's record refers to is another's as well.
        Optional<Outcome> refusal =
                RecordClaim.refuse(scene, inventory, identity).or(() -> unknownWish(scene.context(), inventory));
        if (refusal.isPresent()) {
            return Stored.not(refusal.get());
        }
        Optional<ClusterCredential> chosen = choose(scene, inventory);
        String name = PlatformNames.credential(scene.name());
        if (chosen.isEmpty()) {
            Optional<Outcome> taken = inventory.named(name).map(other -> taken(inventory, other));
            if (taken.isPresent()) {
                return Stored.not(taken.get());
            }
        }
        ClusterCredential.Spec spec = new ClusterCredential.Spec(
                scene.name(),
                settings.tenant(),
                scene.workload().authority(),
                token.value(),
                identity.id(),
                scene.context().cluster().businessKey());
        Optional<ClusterCredential> written = chosen.isPresent()
                ? Optional.of(scene.platform().update(chosen.get(), spec))
                : scene.platform().create(spec);
        return written.map(credential -> prove(scene, credential))
                .orElseGet(() -> Stored.not(Outcome.waiting(
                        "WaitingForCredential",
                        "the credential " + name
                                + " was made by somebody else at the same time; it is looked at next")));
    }

    /** What the operator decided, together with the policy. */
    Wishes wishes(PhaseContext context) {
        return new Wishes(wishedToKeep(context), named(context));
    }

    /** Ranks them by the rules of the settings. */
    Decision rank(List<CredentialCandidate> candidates, Wishes wishes, Instant now) {
        return CredentialRanking.decide(candidates, settings.credentials(), settings.orphanAge(), wishes, now);
    }

    /** The names that an operator gave to COLLECT_ORPHANS. */
    static Set<String> named(PhaseContext context) {
        return context.directive(Directive.COLLECT_ORPHANS).stream()
                .flatMap(names -> Arrays.stream(names.split("[,\\s]+", -1)))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<String> wishedToKeep(PhaseContext context) {
        return context.directive(Directive.KEEP).map(String::strip).filter(name -> !name.isEmpty());
    }

    /** A name to keep that cannot be kept: where there is a choice, no other is taken in its stead. */
    private static Optional<Outcome> unknownWish(PhaseContext context, CredentialInventory inventory) {
        Optional<String> wish = wishedToKeep(context);
        List<CredentialCandidate> candidates = inventory.candidates(credential -> Proof.UNKNOWN);
        boolean choice = candidates.stream().filter(CredentialRanking::keepable).count() > 1;
        boolean known = candidates.stream()
                .anyMatch(candidate -> CredentialRanking.keepable(candidate)
                        && wish.filter(candidate.name()::equals).isPresent());
        if (wish.isEmpty() || known || !choice) {
            return Optional.empty();
        }
        return Optional.of(Outcome.blocked(
                ErrorClass.INVALID,
                "CredentialUnknown",
                "KEEP names " + wish.get() + ", which is no credential of " + inventory.cluster()
                        + " that can be kept; there are " + display(candidates),
                "Decide KEEP with one of these names."));
    }

    private Optional<ClusterCredential> choose(ImportScene scene, CredentialInventory inventory) {
        Optional<CredentialCandidate> keep = decide(scene, inventory).keep();
        String own = PlatformNames.credential(scene.name());
        boolean wished = keep.isPresent()
                && wishedToKeep(scene.context())
                        .filter(keep.get().name()::equals)
                        .isPresent();
        boolean good = keep.filter(candidate ->
                        wished || candidate.use() == Use.THIS_CLUSTER || candidate.proof() == Proof.ACCEPTED)
                .isPresent();
        Optional<String> name = good
                ? keep.map(CredentialCandidate::name)
                : inventory.candidates(credential -> Proof.UNKNOWN).stream()
                        .filter(CredentialRanking::keepable)
                        .map(CredentialCandidate::name)
                        .filter(own::equals)
                        .findFirst();
        return name.flatMap(inventory::named);
    }

    /** Ranks them; asks the workload cluster only where its answer could matter: tokens of others are not used for fun. */
    private Decision decide(ImportScene scene, CredentialInventory inventory) {
        List<CredentialCandidate> unproven = inventory.candidates(credential -> Proof.UNKNOWN);
        boolean referred = unproven.stream()
                .anyMatch(candidate -> CredentialRanking.keepable(candidate) && candidate.use() == Use.THIS_CLUSTER);
        List<CredentialCandidate> candidates = referred
                ? unproven
                : inventory.candidates(
                        credential -> credential.deleting() ? Proof.UNKNOWN : proofs.of(scene.workload(), credential));
        return rank(candidates, wishes(scene.context()), scene.context().now());
    }

    private static Outcome taken(CredentialInventory inventory, ClusterCredential other) {
        if (other.deleting()) {
            return Outcome.waiting(
                    "WaitingForCredentialGone", "the credential " + other.name() + " is being deleted and still there");
        }
        return Outcome.blocked(
                ErrorClass.IDENTITY,
                "CredentialNameTaken",
                "the credential " + other.name() + " (created " + other.created() + ") is of another cluster than "
                        + inventory.cluster()
                        + ": its labels or clusterName say so, or another platform Cluster refers to it",
                "Look at it: kubectl get clustercredentials.platform.tkestack.io " + other.name()
                        + " -o jsonpath='{.clusterName} {.metadata.labels}'",
                "If no other cluster needs it: correct its labels and clusterName, or delete it.");
    }

    private Stored prove(ImportScene scene, ClusterCredential credential) {
        return proofs.of(scene.workload(), credential) == Proof.ACCEPTED
                ? Stored.in(credential)
                : Stored.not(Outcome.waiting(
                        "WaitingForCredentialAccepted",
                        "the workload cluster does not accept the credential " + credential.name()
                                + " yet, which was just brought up to date"));
    }

    /** For people: names and creation times. */
    static String display(List<CredentialCandidate> candidates) {
        return candidates.stream()
                .map(candidate -> candidate.name() + " (created " + candidate.created() + ")")
                .collect(Collectors.joining(", "));
    }
}
