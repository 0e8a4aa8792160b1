package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.Condition;
import dev.slipway.imports.ImportSettings;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.ImportInvariants.Broken;
import dev.slipway.platform.ImportInvariants.Facts;
import dev.slipway.platform.ImportInvariants.Invariant;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.sentry.SentrySettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at the four things that hold for every imported cluster, each for itself, in the platform's own order. */
@Component
final class InvariantsStep implements Step {

    static final String PLATFORM_CLUSTER_ABSENT = "PlatformClusterAbsent";
    static final String PLATFORM_CLUSTER_FAILED = "PlatformClusterFailed";
    static final String LABEL_ABSENT = "ImportedLabelAbsent";
    static final String CREDENTIALS_TOO_MANY = "CredentialsTooMany";
    static final String CREDENTIAL_ABSENT = "CredentialAbsent";
    static final String SENTRY_ABSENT = "SentryAbsent";

    /** A cluster that has only just come up is imported in a moment. */
    private static final Duration YOUNG = Duration.ofMinutes(15);

    private final ClusterApi api;
    private final PlatformApi platforms;
    private final ClusterAccess access;
    private final ImportSettings settings;
    private final SentrySettings sentry;
    private final Clock clock;

    InvariantsStep(
            ClusterApi api,
            PlatformApi platforms,
            ClusterAccess access,
            ImportSettings settings,
            SentrySettings sentry,
            Clock clock) {
        this.api = api;
        this.platforms = platforms;
        this.access = access;
        this.settings = settings;
        this.sentry = sentry;
        this.clock = clock;
    }

    @Override
    public int number() {
        return 8;
    }

    @Override
    public String title() {
        return "Import";
    }

    @Override
    public void look(ClusterRef ref, Findings findings) {
        List<CapiCluster> cluster = new ArrayList<>();
        findings.look(ObjectHealth.name("Cluster", ref.name()), () -> api.cluster(ref.namespace(), ref.name())
                .ifPresentOrElse(
                        cluster::add,
                        () -> findings.add(Seen.ok("import", "there is no Cluster, so there is nothing to import"))));
        cluster.forEach(found -> findings.look(PlatformApi.GROUP, () -> platforms
                .open()
                .ifPresentOrElse(
                        platform -> new Look(found, platform, findings).all(),
                        () -> findings.add(Seen.ok(
                                PlatformApi.GROUP,
                                "there is no platform to import into: none is served, or it is switched off")))));
    }

    /** One look at a Cluster and its platform. */
    private final class Look {

        private final CapiCluster cluster;
        private final Platform platform;
        private final Findings findings;

        Look(CapiCluster cluster, Platform platform, Findings findings) {
            this.cluster = cluster;
            this.platform = platform;
            this.findings = findings;
        }

        void all() {
            String record = "clusters." + PlatformApi.GROUP + "/" + cluster.name();
            findings.look(record, () -> findings.add(record(record)));
            findings.add(label());
            findings.look("clustercredentials", () -> findings.add(credentials()));
            // Last: a workload cluster that does not answer ends the step.
            findings.look("serviceaccount/" + sentry.serviceAccount(), () -> findings.add(sentry()));
        }

        private Seen record(String object) {
            Optional<PlatformCluster> record = platform.cluster(cluster.name());
            Optional<Broken> broken = broken(Invariant.PLATFORM_CLUSTER, facts(record, List.of(), Optional.empty()));
            if (broken.isPresent()) {
                String code = record.isPresent() ? "PlatformClusterDeleting" : PLATFORM_CLUSTER_ABSENT;
                return seen(object, broken.get(), due(), code);
            }
            PlatformCluster there = record.orElseThrow();
            String phase = there.phase().orElse("none");
            List<String> details = List.of(
                    "type " + there.object().text("spec", "type").orElse("none") + ", refers to the credential "
                            + there.credential().orElse("(none)"),
                    "addresses: " + there.addresses(),
                    "identity: " + there.identity().orElse("not recorded"));
            String sentence = holds(Invariant.PLATFORM_CLUSTER) + "it exists; phase " + phase
                    + (there.message().isEmpty() ? "" : ": " + there.message());
            boolean untouched = there.object().at("status", "conditions").isEmpty()
                    && there.message().isEmpty();
            if (phase.equals("Failed")) {
                return new Seen(object, Verdict.PROBLEM, PLATFORM_CLUSTER_FAILED, sentence, details);
            }
            return phase.equals("Running") || untouched
                    ? new Seen(object, Verdict.OK, null, sentence, details)
                    : new Seen(object, Verdict.WARNING, "PlatformClusterNotRunning", sentence, details);
        }

        /** By its key: the value of a healthy one is empty. */
        private Seen label() {
            String object = "label/" + ImportInvariants.IMPORTED_LABEL;
            return broken(Invariant.IMPORTED_MARK, facts(Optional.empty(), List.of(), Optional.empty()))
                    .map(broken -> seen(object, broken, due(), LABEL_ABSENT))
                    .orElseGet(() -> Seen.ok(
                            object,
                            holds(Invariant.IMPORTED_MARK) + "present (value \""
                                    + cluster.object().labels().get(ImportInvariants.IMPORTED_LABEL) + "\")"));
        }

        private Seen credentials() {
            List<ClusterCredential> all = platform.credentialsOf(cluster.name());
            long counted = all.stream()
                    .filter(credential -> credential.counts(cluster.name()))
                    .count();
            return broken(Invariant.SINGLE_CREDENTIAL, facts(Optional.empty(), all, Optional.empty()))
                    .map(broken -> counted > 1
                            ? seen("clustercredentials", broken, Verdict.PROBLEM, CREDENTIALS_TOO_MANY)
                            : seen("clustercredentials", broken, due(), CREDENTIAL_ABSENT))
                    .orElseGet(() ->
                            Seen.ok("clustercredentials", holds(Invariant.SINGLE_CREDENTIAL) + "there is exactly one"));
        }

        private Seen sentry() {
            String object = "serviceaccount/" + sentry.serviceAccount();
            Optional<Workload> workload = access.open(cluster);
            if (workload.isEmpty()) {
                return Seen.unknown(
                        object,
                        "NoKubeconfig",
                        "there is no kubeconfig secret, so the workload cluster cannot be asked");
            }
            Optional<KubeObject> account = workload.get()
                    .reader()
                    .get(ResourceType.SERVICE_ACCOUNTS, sentry.namespace(), sentry.serviceAccount());
            return broken(Invariant.SENTRY, facts(Optional.empty(), List.of(), account))
                    .map(broken -> seen(object, broken, due(), SENTRY_ABSENT))
                    .orElseGet(() -> Seen.ok(
                            object,
                            holds(Invariant.SENTRY) + "it exists in " + sentry.namespace()
                                    + " of the workload cluster"));
        }

        private Facts facts(
                Optional<PlatformCluster> record, List<ClusterCredential> credentials, Optional<KubeObject> account) {
            return new Facts(cluster.object(), record, credentials, account);
        }

        /** How bad it is that an import has not made something: it needs a control plane and a moment. */
        private Verdict due() {
            Instant recently = clock.instant().minus(YOUNG);
            boolean young = Condition.of(cluster.object(), "ControlPlaneInitialized")
                    .filter(condition ->
                            condition.since() != null && condition.since().isAfter(recently))
                    .isPresent();
            return settings.watch() && cluster.controlPlaneInitialized() && !young ? Verdict.PROBLEM : Verdict.WARNING;
        }
    }

    private static Optional<Broken> broken(Invariant invariant, Facts facts) {
        return ImportInvariants.broken(facts).stream()
                .filter(broken -> broken.invariant() == invariant)
                .findFirst();
    }

    private static String holds(Invariant invariant) {
        return "invariant " + invariant.number() + " holds: ";
    }

    private static Seen seen(String object, Broken broken, Verdict verdict, String code) {
        Invariant invariant = broken.invariant();
        return new Seen(
                object,
                verdict,
                code,
                "invariant " + invariant.number() + " does not hold: " + broken.message(),
                List.of("the import repairs it in its phase " + invariant.phase()));
    }
}
