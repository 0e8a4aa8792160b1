package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.pki.CertificateSettings;
import dev.slipway.pki.ClusterCertificates;
import dev.slipway.pki.KubeconfigCheck;
import dev.slipway.pki.KubeconfigSecret;
import dev.slipway.pki.Problem;
import dev.slipway.pki.ProblemCode;
import dev.slipway.pki.StoredSecret;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the cluster has an administrator's kubeconfig that works.
 *
 * <ul>
 *   <li>it trusts the cluster's authority, points to the cluster's endpoint, and its client certificate is young
 *   <li>an absent one is created; whoever creates it first wins
 *   <li>one that Slipway made is renewed when it is past half of its life or points elsewhere
 *   <li>one that a control plane provider owns, or a person made, is never changed
 * </ul>
 */
@Component
public class EnsureKubeconfig implements Phase {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final LiveClusters clusters;

    public EnsureKubeconfig(LiveReader reader, KubeWriter writer, LiveClusters clusters) {
        this.reader = reader;
        this.writer = writer;
        this.clusters = clusters;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = clusters.built(context);
        Optional<Endpoint> endpoint = cluster.endpoint();
        if (endpoint.isEmpty()) {
            return cluster.withoutEndpoint("WaitingForControlPlaneEndpoint");
        }
        ClusterCertificates ca = ClusterCertificates.lookAtAuthority(reader, cluster, context.now());
        List<Problem> problems = ca.problemsOfUse(context.fact(ClusterCertificates.CA_FINGERPRINT));
        if (!problems.isEmpty()) {
            return Problem.blocked(problems);
        }
        String server = "https://" + endpoint.get().display();
        return ensure(context, cluster, new KubeconfigSecret(cluster.name(), server, ca.authority(), context.now()));
    }

    private Outcome ensure(PhaseContext context, CapiCluster cluster, KubeconfigSecret wanted) {
        Optional<StoredSecret> found = read(cluster);
        if (found.isPresent() && !(found.get().madeBySlipway() && renewable(wanted.check(found.get())))) {
            return report(found.get(), wanted.check(found.get()));
        }
        WorkloadCluster declared = clusters.declared(context);
        if (declared.deleting() || cluster.object().deleting()) {
            return LiveClusters.waitForDeletion(declared);
        }
        write(cluster, wanted, found, CertificateSettings.of(declared));
        return read(cluster)
                .map(stored -> report(stored, wanted.check(stored)))
                .orElseGet(() -> Outcome.waiting(
                        "WaitingForKubeconfig",
                        "the secret " + KubeconfigSecret.name(cluster.name())
                                + " vanished right after it was written"));
    }

    private static boolean renewable(KubeconfigCheck check) {
        return check instanceof KubeconfigCheck.Ageing || check instanceof KubeconfigCheck.Outdated;
    }

    private void write(
            CapiCluster cluster, KubeconfigSecret wanted, Optional<StoredSecret> old, CertificateSettings settings) {
        if (old.isPresent()) {
            String name = KubeconfigSecret.name(cluster.name());
            writer.mergePatch(ResourceType.SECRETS, cluster.namespace(), name, wanted.renew(old.get(), settings));
        } else {
            writer.create(ResourceType.SECRETS, wanted.create(cluster, settings));
        }
    }

    private Optional<StoredSecret> read(CapiCluster cluster) {
        return reader.get(ResourceType.SECRETS, cluster.namespace(), KubeconfigSecret.name(cluster.name()))
                .map(StoredSecret::new);
    }

    private static Outcome report(StoredSecret secret, KubeconfigCheck check) {
        if (check instanceof KubeconfigCheck.Invalid invalid) {
            return Problem.blocked(List.of(invalid.problem()));
        }
        if (check instanceof KubeconfigCheck.Outdated outdated) {
            return outdated(secret, outdated.problem());
        }
        if (check instanceof KubeconfigCheck.Ageing ageing) {
            return Outcome.done(secret.display() + " holds until " + ageing.expires()
                    + ", less than half of its life; whoever made it has to renew it");
        }
        return Outcome.done(secret.display() + " trusts the cluster's authority and points to its endpoint");
    }

    /** A control plane provider renews its own: that is a matter of time, not of a person. */
    private static Outcome outdated(StoredSecret secret, Problem problem) {
        boolean renewedByOwner = problem.code() == ProblemCode.KUBECONFIG_EXPIRED
                && secret.controlPlaneOwner().isPresent();
        return renewedByOwner
                ? Outcome.waiting(
                        "WaitingForKubeconfigRenewal",
                        problem.sentence() + " " + secret.controlPlaneOwner().orElseThrow() + " renews it")
                : Problem.blocked(List.of(problem));
    }
}
