package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.CollectedCredentials;
import dev.slipway.imports.CredentialProof;
import dev.slipway.imports.ImportSettings;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.CredentialRanking;
import dev.slipway.platform.CredentialRanking.Decision;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Lists the platform's credentials of a cluster: when each was made, who uses it, which one is kept. Shows no token. */
@Component
final class CredentialsStep implements Step {

    static final String REFUSED = "CredentialRefused";

    private static final String ALL = "clustercredentials";
    /** Each is a call to the workload cluster. */
    private static final int MOST_PROOFS = 10;

    private final ClusterApi api;
    private final PlatformApi platforms;
    private final ClusterAccess access;
    private final CredentialProof proofs;
    private final ImportSettings settings;
    private final Clock clock;

    CredentialsStep(
            ClusterApi api,
            PlatformApi platforms,
            ClusterAccess access,
            CredentialProof proofs,
            ImportSettings settings,
            Clock clock) {
        this.api = api;
        this.platforms = platforms;
        this.access = access;
        this.proofs = proofs;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public int number() {
        return 9;
    }

    @Override
    public String title() {
        return "Credentials of the platform";
    }

    @Override
    public void look(ClusterRef ref, Findings findings) {
        findings.look(ALL, () -> platforms
                .open()
                .ifPresentOrElse(
                        platform -> look(ref, platform, findings),
                        () -> findings.add(Seen.ok(ALL, "there is no platform that could have any"))));
    }

    private void look(ClusterRef ref, Platform platform, Findings findings) {
        // Their own names alone: they may outlive their cluster.
        List<ClusterCredential> credentials = platform.credentialsOf(ref.name()).stream()
                .sorted(Comparator.comparing(ClusterCredential::created).reversed())
                .toList();
        List<PlatformCluster> records = platform.clusters();
        Optional<CapiCluster> cluster = api.cluster(ref.namespace(), ref.name());
        cluster.ifPresent(found -> collected(found, findings));
        if (credentials.isEmpty()) {
            findings.add(Seen.ok(ALL, "the platform has none of this cluster"));
            return;
        }
        Prover prover = new Prover(cluster.flatMap(access::open));
        List<CredentialCandidate> candidates = credentials.stream()
                .map(credential -> credential.candidate(ref.name(), records, prover.prove(credential)))
                .toList();
        Decision decision =
                CredentialRanking.decide(candidates, settings.credentials(), settings.orphanAge(), clock.instant());
        findings.add(Seen.ok(
                ALL,
                "there are " + credentials.size() + " that belong to " + ref.name() + "; " + decision.why(),
                prover.problems().toArray(new String[0])));
        findings.addAll(
                "credentials",
                candidates.stream().map(one -> seen(one, decision)).toList());
    }

    /** What Slipway wrote down before it removed any. */
    private static void collected(CapiCluster cluster, Findings findings) {
        List<String> each = CollectedCredentials.of(cluster);
        if (!each.isEmpty()) {
            findings.add(Seen.ok("collected " + ALL, each.size() + " were removed earlier, by name and creation time")
                    .with(each));
        }
    }

    private static Seen seen(CredentialCandidate credential, Decision decision) {
        String object = "clustercredential/" + credential.name();
        String sentence = "created " + credential.created() + ", " + use(credential) + ", " + proof(credential)
                + ", made by " + (credential.createdByUs() ? "Slipway" : "somebody else");
        if (decision.keep().filter(credential::equals).isPresent()) {
            return kept(credential, object, sentence);
        }
        String going = decision.ask().stream()
                .filter(left -> left.credential().equals(credential))
                .findFirst()
                .map(left -> "one too many, not removed by itself: " + left.sentence())
                .orElse(credential.deleting() ? "its removal was requested" : "one too many, the import removes it");
        return Seen.warning(object, "CredentialTooMany", sentence, going);
    }

    private static Seen kept(CredentialCandidate credential, String object, String sentence) {
        if (credential.proof() != Proof.REFUSED) {
            return Seen.ok(object, sentence + "; it is the one to keep");
        }
        String remedy = "the one to keep; the import puts a token into it that is accepted";
        return credential.use() == Use.THIS_CLUSTER
                ? Seen.problem(object, REFUSED, sentence, remedy)
                : Seen.warning(object, REFUSED, sentence, remedy);
    }

    private static String use(CredentialCandidate credential) {
        return switch (credential.use()) {
            case THIS_CLUSTER -> "used by the platform Cluster";
            case ANOTHER_CLUSTER -> "used by another cluster";
            case NONE -> "nothing refers to it";
        };
    }

    private static String proof(CredentialCandidate credential) {
        return switch (credential.proof()) {
            case ACCEPTED -> "accepted by the workload cluster";
            case REFUSED -> "refused by the workload cluster";
            case UNKNOWN -> "not known whether it is accepted";
        };
    }

    /** Tries credentials on the workload cluster, as long as that answers. */
    private final class Prover {

        private final Optional<Workload> workload;
        private final List<String> problems = new ArrayList<>();
        private int tried;

        Prover(Optional<Workload> workload) {
            this.workload = workload;
        }

        Proof prove(ClusterCredential credential) {
            if (credential.token().isEmpty()) {
                return credential.hasClientCertificate() ? Proof.UNKNOWN : Proof.REFUSED;
            }
            if (workload.isEmpty() || !problems.isEmpty() || tried++ >= MOST_PROOFS) {
                return Proof.UNKNOWN;
            }
            try {
                return proofs.of(workload.get(), credential);
            } catch (Failure failure) {
                problems.add("they could not be tried on the workload cluster: " + failure.message());
                return Proof.UNKNOWN;
            }
        }

        List<String> problems() {
            return problems;
        }
    }
}
