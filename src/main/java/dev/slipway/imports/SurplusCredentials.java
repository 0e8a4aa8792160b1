package dev.slipway.imports;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialRanking;
import dev.slipway.platform.CredentialRanking.Decision;
import dev.slipway.platform.CredentialRanking.Wishes;
import dev.slipway.platform.PlatformCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Sees to it that the kept credential is the only one: deletes what nobody uses, asks a person about the rest. */
@Component
public class SurplusCredentials {

    private final SingleCredential single;
    private final CollectedCredentials collected;

    public SurplusCredentials(SingleCredential single, CollectedCredentials collected) {
        this.single = single;
        this.collected = collected;
    }

    /**
     * Takes what is too many away, or says why not.
     *
     * @param kept the credential that holds the token and was just accepted
     * @return done only if it is the only one, by a live list after all deletes
     */
    Outcome remove(ImportScene scene, ClusterCredential kept) {
        CredentialInventory inventory = released(scene, CredentialInventory.read(scene), kept);
        List<CredentialCandidate> gone = decide(scene, inventory, kept).collect();
        collected.collect(scene, gone);
        if (!gone.isEmpty()) {
            inventory = CredentialInventory.read(scene);
        }
        if (inventory
                .named(kept.name())
                .filter(credential -> credential.uid().equals(kept.uid()) && !credential.deleting())
                .isEmpty()) {
            return Outcome.waiting(
                    "WaitingForCredential",
                    "the credential " + kept.name() + " vanished right after it was accepted; it is looked for anew");
        }
        return report(scene, inventory, decide(scene, inventory, kept), gone);
    }

    /** While the record refers to another one, that one is in use: from now on it refers to the kept one. */
    private static CredentialInventory released(
            ImportScene scene, CredentialInventory inventory, ClusterCredential kept) {
        Optional<PlatformCluster> record = inventory
                .record()
                .filter(cluster -> cluster.imported() && !cluster.deleting())
                .filter(cluster -> cluster.credential()
                        .filter(name -> !name.equals(kept.name()))
                        .flatMap(inventory::named)
                        .isPresent());
        if (record.isEmpty()) {
            return inventory;
        }
        scene.platform().refer(record.get(), kept.name());
        return CredentialInventory.read(scene);
    }

    private Decision decide(ImportScene scene, CredentialInventory inventory, ClusterCredential kept) {
        List<CredentialCandidate> candidates = inventory.candidates(
                credential -> credential.uid().equals(kept.uid()) ? Proof.ACCEPTED : Proof.UNKNOWN);
        Wishes wishes = single.wishes(scene.context()).keeping(kept.name());
        return single.rank(candidates, wishes, scene.context().now());
    }

    private static Outcome report(
            ImportScene scene, CredentialInventory inventory, Decision decision, List<CredentialCandidate> gone) {
        if (decision.needsPerson()) {
            return ask(scene, inventory, decision, gone);
        }
        if (!decision.collect().isEmpty() || !decision.going().isEmpty()) {
            List<CredentialCandidate> awaited = new ArrayList<>(decision.collect());
            awaited.addAll(decision.going());
            return Outcome.waiting(
                    "WaitingForCredentialsGone",
                    "credentials of " + scene.name() + " are being deleted and still there: "
                            + SingleCredential.display(awaited));
        }
        if (!decision.ask().isEmpty()) {
            return waitForAge(scene, decision);
        }
        CredentialCandidate kept = decision.keep().orElseThrow();
        List<String> sentences = new ArrayList<>();
        sentences.add(
                kept.name() + " is the only credential of " + scene.name() + ", and the workload cluster accepts it");
        CollectedCredentials.sentence(gone).ifPresent(sentences::add);
        unknown(scene, inventory, gone).ifPresent(sentences::add);
        return Outcome.done(String.join("; ", sentences)).with(ImportFacts.CREDENTIAL, kept.name());
    }

    private static Outcome ask(
            ImportScene scene, CredentialInventory inventory, Decision decision, List<CredentialCandidate> gone) {
        String left = CredentialRanking.sentence(decision.ask());
        String names =
                decision.ask().stream().map(one -> one.credential().name()).collect(Collectors.joining(","));
        String note = unknown(scene, inventory, gone).map(text -> ". " + text).orElse("");
        return Outcome.blocked(
                ErrorClass.UNSAFE,
                "TooManyCredentials",
                scene.name() + " has " + (decision.ask().size() + 1) + " credentials. " + decision.why()
                        + ". The others are not collected, " + left + note,
                "To delete those that nobody needs: decide COLLECT_ORPHANS with their names, of " + names,
                "To keep another one: decide KEEP with its name",
                "Those that another cluster uses: correct their labels and clusterName, so that they are only that"
                        + " cluster's");
    }

    private static Outcome waitForAge(ImportScene scene, Decision decision) {
        Instant now = scene.context().now();
        Instant next = decision.ask().stream()
                .flatMap(left -> left.until().stream())
                .min(Instant::compareTo)
                .orElse(now)
                // Older than that, not as old.
                .plusSeconds(1);
        return Outcome.waiting(
                        "WaitingForCredentialAge",
                        decision.why() + ". The others are not collected yet, "
                                + CredentialRanking.sentence(decision.ask()) + "; goes on at " + next)
                .after(next.isAfter(now) ? Duration.between(now, next) : Duration.ofSeconds(1));
    }

    /** Names that were to be collected and are none of this cluster's credentials, nor were. */
    private static Optional<String> unknown(
            ImportScene scene, CredentialInventory inventory, List<CredentialCandidate> gone) {
        Set<String> names = new TreeSet<>(SingleCredential.named(scene.context()));
        gone.forEach(credential -> names.remove(credential.name()));
        names.removeIf(
                name -> inventory.named(name).isPresent() || CollectedCredentials.recorded(scene.target(), name));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("COLLECT_ORPHANS names what is no credential of " + scene.name() + ": "
                        + String.join(", ", names));
    }
}
