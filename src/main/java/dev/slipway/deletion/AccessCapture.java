package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.receipt.Fate;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Writes down what later phases need of objects that may vanish, and keeps the kubeconfig from vanishing. */
@Component
public class AccessCapture {

    private final DeletionReceipt receipt;
    private final Descendants descendants;
    private final ClusterSecrets secrets;
    private final ImportAccess access;
    private final PlatformApi platforms;

    public AccessCapture(
            DeletionReceipt receipt,
            Descendants descendants,
            ClusterSecrets secrets,
            ImportAccess access,
            PlatformApi platforms) {
        this.receipt = receipt;
        this.descendants = descendants;
        this.secrets = secrets;
        this.access = access;
        this.platforms = platforms;
    }

    /** Looks at everything once; what an earlier look found and is gone meanwhile stays recorded. */
    public Outcome capture(PhaseContext context, DeletionSubject subject) {
        subject.object().ifPresent(object -> receipt.found(context, Remaining.name(object)));
        subject.cluster().ifPresent(cluster -> receipt.found(context, cluster.display()));
        Optional<Platform> platform = platforms.open().filter(found -> !subject.nameTaken());
        Optional<PlatformCluster> record = platform.flatMap(found -> record(context, subject, found));
        String secret =
                subject.target().map(access::secretOf).orElse(context.cluster().name() + "-kubeconfig");
        Optional<KubeObject> kubeconfig = secrets.get(context.cluster(), secret);
        kubeconfig.filter(found -> !subject.nameTaken()).ifPresent(secrets::protect);
        Descendants.Scope scope = Descendants.Scope.of(context);
        if (subject.cluster().isPresent()) {
            scope = scope.with(descendants.scope(subject.cluster().get()));
            remaining(context, subject);
        }
        Outcome.Done done = Outcome.done(sentence(subject, record, kubeconfig.isPresent(), secret))
                .with(DeletionFacts.ORIGIN, kept(context, DeletionFacts.ORIGIN, originOf(subject)))
                .with(DeletionFacts.REFS, scope.referencesText())
                .with(DeletionFacts.GROUPS, scope.groupsText())
                .with(DeletionFacts.IDENTITY, kept(context, DeletionFacts.IDENTITY, identity(subject, record)))
                .with(
                        DeletionFacts.RECORD_UID,
                        kept(context, DeletionFacts.RECORD_UID, record.map(PlatformCluster::uid)))
                .with(DeletionFacts.KUBECONFIG, secret);
        // While nobody serves Clusters, nobody knows whether there is one.
        return subject.clusterApi()
                ? done.with(DeletionFacts.CLUSTER_UID, kept(context, DeletionFacts.CLUSTER_UID, uidOf(subject)))
                : done;
    }

    /** What is seen now, or else what an earlier look saw. */
    private static String kept(PhaseContext context, String fact, Optional<String> seen) {
        return seen.filter(value -> !value.isEmpty())
                .or(() -> context.fact(fact))
                .orElse("");
    }

    private void remaining(PhaseContext context, DeletionSubject subject) {
        boolean full = DeletionMode.of(context) == DeletionMode.FULL;
        descendants.of(context, subject).remaining().objects().forEach(object -> {
            if (full) {
                receipt.found(context, Remaining.name(object));
            } else {
                receipt.note(context, Remaining.name(object), Fate.KEPT, "the mode keeps the cluster");
            }
        });
    }

    private Optional<PlatformCluster> record(PhaseContext context, DeletionSubject subject, Platform platform) {
        platform.credentialsOf(context.cluster().name()).stream()
                .map(ClusterCredential::name)
                .forEach(name -> receipt.found(context, "ClusterCredential " + name));
        Optional<PlatformCluster> record =
                platform.cluster(context.cluster().name()).filter(found -> PlatformClaims.isOf(subject, found));
        record.ifPresent(found -> receipt.found(context, found.display()));
        return record;
    }

    private static Optional<String> uidOf(DeletionSubject subject) {
        return subject.cluster().map(CapiCluster::uid);
    }

    private static Optional<String> originOf(DeletionSubject subject) {
        return subject.target().map(ImportTarget::origin).map(Enum::name);
    }

    /** The Cluster's own record first: it survives the loss of the platform's. */
    private static Optional<String> identity(DeletionSubject subject, Optional<PlatformCluster> record) {
        return subject.cluster()
                .map(cluster -> cluster.object().annotations().getOrDefault(PlatformCluster.IDENTITY, ""))
                .filter(id -> !id.isEmpty())
                .or(() -> record.flatMap(PlatformCluster::identity));
    }

    private static String sentence(
            DeletionSubject subject, Optional<PlatformCluster> record, boolean kubeconfig, String secret) {
        return (subject.cluster().isPresent()
                        ? "the Cluster " + subject.ref().display() + " is there"
                        : "there is no Cluster " + subject.ref().display())
                + (record.isPresent() ? "; the platform has a record of it" : "; the platform has no record of it")
                + (kubeconfig ? "; the secret " + secret + " is kept until it is needed no more" : "");
    }
}
