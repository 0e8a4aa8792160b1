package dev.slipway.imports;

import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.CredentialRanking.Decision;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Takes back what an import has written to the platform, so that it can begin anew.
 *
 * <p>What it may write to the management cluster is just this: the label of imported clusters and the list of collected
 * credentials on the Cluster, the platform's record, and credentials. Nothing of the workload cluster is changed.
 */
@Component
public class ImportReset {

    private final ImportTargets targets;
    private final ImportAccess access;
    private final ImportScenes scenes;
    private final ClusterMarks marks;
    private final SingleCredential single;
    private final CredentialProof proofs;
    private final CollectedCredentials collected;

    public ImportReset(
            ImportTargets targets,
            ImportAccess access,
            ImportScenes scenes,
            ClusterMarks marks,
            SingleCredential single,
            CredentialProof proofs,
            CollectedCredentials collected) {
        this.targets = targets;
        this.access = access;
        this.scenes = scenes;
        this.marks = marks;
        this.single = single;
        this.proofs = proofs;
        this.collected = collected;
    }

    /** Takes the next step back; done with the fact {@link ImportFacts#RESET_DONE} once nothing is left to take back. */
    public Outcome run(PhaseContext context) {
        if (context.directive(Directive.RESET_IMPORT).isEmpty()) {
            return Outcome.done("nobody decided RESET_IMPORT: nothing is taken back");
        }
        String decision = context.directive(Directive.RESET_IMPORT).orElseThrow();
        if (context.fact(ImportFacts.RESET_DONE).filter(decision::equals).isPresent()) {
            return done(decision, "the import was reset already, as decided");
        }
        ImportTarget target = targets.require(context);
        if (ImportInvariants.imported(target.cluster().object())) {
            marks.unmarkImported(target);
        }
        Platform platform = scenes.requirePlatform(target);
        Optional<PlatformCluster> record = platform.cluster(target.name());
        if (record.filter(found -> isOurs(target, found)).isPresent()) {
            release(platform, record.get());
            record = platform.cluster(target.name());
        }
        if (record.filter(PlatformCluster::deleting).isPresent()) {
            return PlatformRecord.waitUntilGone(record.get());
        }
        String kept = record.map(found -> "; the " + found.display() + " was not made by Slipway and stays")
                .orElse("");
        return access(target)
                .map(workload -> credentials(new ImportScene(context, target, workload, platform), decision, kept))
                .orElseGet(() -> done(
                        decision,
                        "the import begins anew; no credential was deleted: there is no kubeconfig to prove one with"
                                + kept));
    }

    /** Deletes the record; not with it the credentials that it owns, one of which is kept. */
    private static void release(Platform platform, PlatformCluster record) {
        platform.credentialsOf(record.name()).forEach(credential -> platform.disown(credential, record));
        if (!record.deleting()) {
            platform.delete(record);
        }
    }

    private Outcome credentials(ImportScene scene, String decision, String kept) {
        Optional<Decision> ranking = rank(scene);
        Optional<CredentialCandidate> best =
                ranking.flatMap(Decision::keep).filter(candidate -> candidate.proof() == Proof.ACCEPTED);
        if (best.isEmpty()) {
            String why = ranking.isEmpty()
                    ? "the workload cluster does not answer, so that none can be proven"
                    : "the workload cluster accepts none";
            return done(decision, "the import begins anew; no credential was deleted: " + why + kept);
        }
        List<CredentialCandidate> others = candidates(scene).stream()
                .filter(candidate -> candidate.use() == Use.NONE
                        && !candidate.uid().equals(best.get().uid()))
                .toList();
        collected.collect(
                scene,
                others.stream().filter(candidate -> !candidate.deleting()).toList());
        List<CredentialCandidate> going =
                candidates(scene).stream().filter(CredentialCandidate::deleting).toList();
        if (!going.isEmpty()) {
            return Outcome.waiting(
                    "WaitingForCredentialsGone",
                    "credentials of " + scene.name() + " are being deleted and still there: "
                            + SingleCredential.display(going));
        }
        String deleted =
                CollectedCredentials.sentence(others).map(text -> "; " + text).orElse("");
        return done(
                decision,
                "the import begins anew with the credential " + best.get().name()
                        + ", which the workload cluster accepts" + deleted + kept);
    }

    /** Ranks all by what the workload cluster says to each; empty if it does not answer. */
    private Optional<Decision> rank(ImportScene scene) {
        CredentialInventory inventory = CredentialInventory.read(scene);
        try {
            List<CredentialCandidate> candidates = inventory.candidates(
                    credential -> credential.deleting() ? Proof.UNKNOWN : proofs.of(scene.workload(), credential));
            return Optional.of(single.rank(
                    candidates, single.wishes(scene.context()), scene.context().now()));
        } catch (Failure e) {
            return Optional.empty();
        }
    }

    private static List<CredentialCandidate> candidates(ImportScene scene) {
        return CredentialInventory.read(scene).candidates(credential -> Proof.UNKNOWN);
    }

    /** The workload cluster; empty without a kubeconfig that can be used. */
    private Optional<Workload> access(ImportTarget target) {
        try {
            return access.open(target);
        } catch (Failure e) {
            if (e.errorClass() == ErrorClass.INVALID) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether an import of this cluster made it; its UID may have been another one then. */
    private static boolean isOurs(ImportTarget target, PlatformCluster record) {
        return record.flow()
                .filter(flow -> flow.startsWith(target.ref().display() + "@"))
                .isPresent();
    }

    private static Outcome done(String decision, String message) {
        return Outcome.done(message).with(ImportFacts.RESET_DONE, decision);
    }
}
