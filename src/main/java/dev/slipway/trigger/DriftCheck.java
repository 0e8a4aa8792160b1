package dev.slipway.trigger;

import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Failure;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.ImportInvariants.Invariant;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.WorkloadIdentity;
import dev.slipway.sentry.SentryInspection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at one imported cluster, live, and says what does not hold any more. Changes nothing. */
final class DriftCheck {

    /** A whole look; a single call has a deadline of its own. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final ImportAccess access;
    private final SentryInspection sentry;
    private final InstantSource clock;

    DriftCheck(ImportAccess access, SentryInspection sentry, InstantSource clock) {
        this.access = access;
        this.sentry = sentry;
        this.clock = clock;
    }

    /**
     * Something that does not hold.
     *
     * @param invariant UpperCamel: {@code Identity}, {@code Sentry}, {@code SingleCredential}, {@code Token},
     *     {@code PlatformCluster}
     * @param message what was seen
     */
    record Finding(String invariant, String message) {}

    /**
     * What a look saw.
     *
     * @param findings what does not hold, in the order in which the import repairs it
     * @param unknown why the workload cluster could not be looked at; empty if it could
     */
    record Seen(List<Finding> findings, Optional<String> unknown) {

        Seen {
            findings = List.copyOf(findings);
        }
    }

    /**
     * What could be read in the workload cluster.
     *
     * @param same whether it is the cluster that was imported: only then what it lacks is missing
     * @param sentry the account; empty if it is absent
     * @param findings what does not hold there
     */
    private record Inside(boolean same, Optional<KubeObject> sentry, List<Finding> findings) {}

    /** The look took too long: the cluster is slow, not drifted. */
    private static final class Slow extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Looks.
     *
     * @param ours whether Slipway imported it: only then identity and token are known to be ours to judge
     * @throws Failure while the management cluster does not answer
     */
    Seen look(ImportTarget target, Platform platform, boolean ours) {
        Optional<PlatformCluster> record = platform.cluster(target.name());
        List<ClusterCredential> credentials = platform.credentialsOf(target.name());
        Optional<Inside> inside = Optional.empty();
        String unknown = "";
        try {
            Optional<Workload> workload = access.open(target);
            if (workload.isEmpty()) {
                unknown = "the secret " + target.namespace() + "/" + access.secretOf(target) + " does not exist";
            } else {
                inside = Optional.of(inside(workload.get(), record, ours ? credentials : List.of()));
            }
        } catch (Failure failure) {
            unknown = failure.code() + ": " + failure.message();
        } catch (Slow slow) {
            unknown = "it took longer than " + LONGEST.toSeconds() + " s to answer";
        }
        List<Finding> findings = new ArrayList<>();
        inside.ifPresent(seen -> findings.addAll(seen.findings()));
        findings.addAll(invariants(target, record, credentials, inside));
        return new Seen(findings, unknown.isEmpty() ? Optional.empty() : Optional.of(unknown));
    }

    private static List<Finding> invariants(
            ImportTarget target,
            Optional<PlatformCluster> record,
            List<ClusterCredential> credentials,
            Optional<Inside> inside) {
        ImportInvariants.Facts facts = new ImportInvariants.Facts(
                target.cluster().object(), record, credentials, inside.flatMap(Inside::sentry));
        return ImportInvariants.broken(facts).stream()
                // What cannot be looked at is not known to be broken.
                .filter(broken -> broken.invariant() != Invariant.SENTRY
                        || inside.filter(Inside::same).isPresent())
                .map(broken -> new Finding(name(broken.invariant()), broken.message()))
                .toList();
    }

    private Inside inside(Workload workload, Optional<PlatformCluster> record, List<ClusterCredential> ours) {
        Instant deadline = clock.instant().plus(LONGEST);
        List<Finding> findings = new ArrayList<>();
        WorkloadIdentity identity = WorkloadIdentity.read(workload.reader());
        record.flatMap(PlatformCluster::identity)
                .filter(recorded -> !identity.is(recorded))
                .ifPresent(recorded -> findings.add(new Finding(
                        "Identity", "the cluster that answers is " + identity.id() + ", registered is " + recorded)));
        if (!findings.isEmpty()) {
            return new Inside(false, Optional.empty(), findings);
        }
        inTime(deadline);
        Optional<KubeObject> account = sentry.account(workload);
        inTime(deadline);
        if (account.isPresent() && ours.size() == 1) {
            token(workload, ours.get(0)).ifPresent(problem -> findings.add(new Finding("Token", problem)));
        }
        return new Inside(true, account, findings);
    }

    private Optional<String> token(Workload workload, ClusterCredential credential) {
        Optional<Token> token = credential.token().flatMap(Token::of);
        return token.isEmpty()
                ? Optional.of("the ClusterCredential " + credential.name() + " has no token")
                : sentry.tokenProblem(workload, token.get(), clock.instant());
    }

    private void inTime(Instant deadline) {
        if (clock.instant().isAfter(deadline)) {
            throw new Slow();
        }
    }

    private static String name(Invariant invariant) {
        return switch (invariant) {
            case SENTRY -> "Sentry";
            case SINGLE_CREDENTIAL -> "SingleCredential";
            case PLATFORM_CLUSTER -> "PlatformCluster";
            case IMPORTED_MARK -> "ImportedMark";
        };
    }
}
