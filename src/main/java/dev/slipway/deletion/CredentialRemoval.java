package dev.slipway.deletion;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.receipt.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Deletes a cluster's credentials and, with the cluster, the secrets that controllers made; keeps those of users. */
@Component
public class CredentialRemoval {

    private final PlatformApi platforms;
    private final ClusterSecrets secrets;
    private final DeletionReceipt receipt;

    public CredentialRemoval(PlatformApi platforms, ClusterSecrets secrets, DeletionReceipt receipt) {
        this.platforms = platforms;
        this.secrets = secrets;
        this.receipt = receipt;
    }

    /** Deletes what is left of them, and lists it live afterwards. */
    public Outcome remove(PhaseContext context, DeletionSubject subject) {
        releaseKubeconfig(context);
        if (subject.nameTaken()) {
            return Outcome.done("another Cluster has the name " + subject.ref().display()
                    + ": its credentials and secrets are not touched");
        }
        List<String> left = new ArrayList<>();
        platforms.open().ifPresent(platform -> left.addAll(credentials(context, platform)));
        left.addAll(secrets(context));
        if (!left.isEmpty()) {
            return Outcome.waiting(
                    "WaitingForCredentialsGone", "being deleted and still there: " + String.join("; ", left));
        }
        return Outcome.done("no credential of " + context.cluster().display() + " is left");
    }

    private List<String> credentials(PhaseContext context, Platform platform) {
        String cluster = context.cluster().name();
        List<CredentialCandidate> all = candidates(platform, cluster);
        for (CredentialCandidate credential : all) {
            Optional<String> keeper = keeper(context, platform, credential);
            if (keeper.isPresent()) {
                receipt.note(context, "ClusterCredential " + credential.name(), Fate.KEPT, keeper.get());
            } else {
                receipt.found(context, "ClusterCredential " + credential.name());
                if (!credential.deleting()) {
                    platform.delete(credential);
                }
            }
        }
        List<CredentialCandidate> left = all.isEmpty() ? all : candidates(platform, cluster);
        List<String> going = left.stream()
                .filter(credential -> keeper(context, platform, credential).isEmpty())
                .map(credential -> "ClusterCredential " + credential.name())
                .toList();
        if (going.isEmpty()) {
            receipt.allGone(context, "ClusterCredential ");
        }
        return going;
    }

    /** Why a credential stays; empty if it goes. */
    private static Optional<String> keeper(PhaseContext context, Platform platform, CredentialCandidate credential) {
        if (credential.use() == Use.ANOTHER_CLUSTER) {
            return Optional.of("another cluster uses it, or it names another");
        }
        // A record that stayed is that of another registration.
        return credential.use() == Use.THIS_CLUSTER
                        && platform.cluster(context.cluster().name())
                                .filter(record -> !PlatformClaims.isRecorded(context, record))
                                .isPresent()
                ? Optional.of("the platform Cluster of another registration refers to it")
                : Optional.empty();
    }

    private static List<CredentialCandidate> candidates(Platform platform, String cluster) {
        List<ClusterCredential> credentials = platform.credentialsOf(cluster);
        List<PlatformCluster> clusters = platform.clusters();
        return credentials.stream()
                .map(credential -> credential.candidate(cluster, clusters, Proof.UNKNOWN))
                .toList();
    }

    /** No later phase needs it. */
    private void releaseKubeconfig(PhaseContext context) {
        context.fact(DeletionFacts.KUBECONFIG)
                .filter(name -> !name.isEmpty())
                .flatMap(name -> secrets.get(context.cluster(), name))
                .ifPresent(secrets::release);
    }

    private List<String> secrets(PhaseContext context) {
        boolean full = DeletionMode.of(context) == DeletionMode.FULL;
        List<KubeObject> all = secrets.of(context.cluster());
        for (KubeObject secret : all) {
            if (full && ClusterSecrets.generated(secret)) {
                receipt.found(context, Remaining.name(secret));
                secrets.release(secret);
                secrets.delete(secret);
            } else {
                String why = full ? "a user supplied it" : "the mode keeps the cluster";
                receipt.note(context, Remaining.name(secret), Fate.KEPT, why);
            }
        }
        List<String> going = all.isEmpty() || !full
                ? List.of()
                : secrets.of(context.cluster()).stream()
                        .filter(ClusterSecrets::generated)
                        .map(Remaining::describe)
                        .toList();
        if (going.isEmpty() && full) {
            receipt.allGone(context, "Secret ");
        }
        return going;
    }
}
