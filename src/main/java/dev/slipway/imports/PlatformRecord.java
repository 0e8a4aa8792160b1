package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.PlatformCluster.Address;
import dev.slipway.platform.WorkloadIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Brings about the platform's record of a cluster. */
@Component
public class PlatformRecord {

    private static final String CREDENTIAL_PHASE = "EnsureSingleCredential";

    private final ImportSettings settings;
    private final CredentialProof proofs;

    public PlatformRecord(ImportSettings settings, CredentialProof proofs) {
        this.settings = settings;
        this.proofs = proofs;
    }

    /** Makes the record, or brings the one that is there up to date; refuses one that is another cluster's. */
    public Outcome ensure(ImportScene scene) {
        Optional<Endpoint> endpoint = scene.target().cluster().endpoint();
        if (endpoint.isEmpty()) {
            return scene.target().cluster().withoutEndpoint("WaitingForControlPlaneEndpoint");
        }
        Address address =
                Address.advertised(endpoint.get().host(), endpoint.get().port());
        CredentialInventory inventory = CredentialInventory.read(scene);
        Optional<ClusterCredential> credential = credential(scene, inventory);
        if (credential.isEmpty()) {
            return Outcome.back(
                    CREDENTIAL_PHASE, "CredentialMissing", "the credential of " + scene.name() + " is gone or going");
        }
        WorkloadIdentity identity = WorkloadIdentity.read(scene.workload().reader());
        Optional<Outcome> refusal = RecordClaim.refuse(scene, inventory, identity);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Wanted wanted = new Wanted(credential.get(), identity, address);
        return inventory.record().map(record -> adopt(scene, record, wanted)).orElseGet(() -> create(scene, wanted));
    }

    /**
     * What the record shall say.
     *
     * @param credential the cluster's credential
     * @param identity who the workload cluster is
     * @param address where the workload cluster answers
     */
    private record Wanted(ClusterCredential credential, WorkloadIdentity identity, Address address) {}

    private Outcome create(ImportScene scene, Wanted wanted) {
        if (!proven(scene, wanted)) {
            return refused(wanted);
        }
        Optional<PlatformCluster> made = scene.platform()
                .create(new PlatformCluster.Spec(
                        scene.name(),
                        settings.tenant(),
                        scene.name(),
                        wanted.credential().name(),
                        wanted.identity().id(),
                        scene.context().cluster().businessKey()));
        return made.map(record -> complete(scene, record, wanted))
                .orElseGet(() -> Outcome.waiting(
                        "WaitingForPlatformCluster",
                        "the platform Cluster " + scene.name()
                                + " was made by somebody else at the same time; it is looked at next"));
    }

    private Outcome adopt(ImportScene scene, PlatformCluster found, Wanted wanted) {
        if (found.deleting()) {
            return waitUntilGone(found);
        }
        PlatformCluster record = found;
        if (found.identity().isEmpty()) {
            ObjectNode mark = JsonNodeFactory.instance.objectNode();
            mark.putObject("metadata")
                    .putObject("annotations")
                    .put(PlatformCluster.IDENTITY, wanted.identity().id());
            record = scene.platform().patch(record, mark);
        }
        boolean refers =
                record.credential().filter(wanted.credential().name()::equals).isPresent();
        if (!refers && !proven(scene, wanted)) {
            return refused(wanted);
        }
        return complete(
                scene, scene.platform().refer(record, wanted.credential().name()), wanted);
    }

    private static Outcome complete(ImportScene scene, PlatformCluster record, Wanted wanted) {
        PlatformCluster stored = scene.platform().ensureAddress(record, wanted.address());
        scene.platform().own(wanted.credential(), stored);
        return Outcome.done("the " + stored.display() + " refers to the credential "
                + wanted.credential().name() + " and has the address "
                + wanted.address().host() + ":" + wanted.address().port());
    }

    /** What a record that is going is held by. */
    static Outcome waitUntilGone(PlatformCluster record) {
        List<String> finalizers = new ArrayList<>(record.object().finalizers());
        finalizers.addAll(record.platformFinalizers());
        return Outcome.waiting(
                "WaitingForPlatformClusterGone",
                "the " + record.display() + " is being deleted, held by its finalizers "
                        + String.join(", ", finalizers));
    }

    private boolean proven(ImportScene scene, Wanted wanted) {
        return proofs.of(scene.workload(), wanted.credential()) == Proof.ACCEPTED;
    }

    private static Outcome refused(Wanted wanted) {
        return Outcome.back(
                CREDENTIAL_PHASE,
                "CredentialRefused",
                "the workload cluster does not accept the credential "
                        + wanted.credential().name());
    }

    /** The one that the flow chose; without such a fact the only one. */
    private static Optional<ClusterCredential> credential(ImportScene scene, CredentialInventory inventory) {
        Optional<String> chosen = scene.context().fact(ImportFacts.CREDENTIAL);
        List<ClusterCredential> credentials = inventory.credentials().stream()
                .filter(credential -> credential.counts(scene.name()) && !credential.deleting())
                .filter(credential -> chosen.isEmpty() || chosen.get().equals(credential.name()))
                .toList();
        return credentials.size() == 1 ? Optional.of(credentials.get(0)) : Optional.empty();
    }
}
