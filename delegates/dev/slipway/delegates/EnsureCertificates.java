package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.pki.CertificatePurpose;
import dev.slipway.pki.CertificateSettings;
import dev.slipway.pki.ClusterCertificates;
import dev.slipway.pki.KeyMaker;
import dev.slipway.pki.PemPair;
import dev.slipway.pki.Problem;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the key pairs {@code ca}, {@code etcd}, {@code proxy} and {@code sa} are there.
 *
 * <ul>
 *   <li>each secret that is there is checked and adopted as it is; none is ever updated or deleted
 *   <li>nothing is generated while one of them is wrong
 *   <li>nothing is generated once the control plane was initialized, or this phase has held before
 *   <li>whoever creates a secret first wins: the loser adopts it
 * </ul>
 */
@Component
public class EnsureCertificates implements Phase {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final LiveClusters clusters;
    private final ClusterApi api;
    private final KeyMaker keyMaker;

    public EnsureCertificates(
            LiveReader reader, KubeWriter writer, LiveClusters clusters, ClusterApi api, KeyMaker keyMaker) {
        this.reader = reader;
        this.writer = writer;
        this.clusters = clusters;
        this.api = api;
        this.keyMaker = keyMaker;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = clusters.built(context);
        ClusterCertificates found = look(cluster, context.now());
        if (found.missing().isEmpty()) {
            return report(context, found);
        }
        if (cluster.controlPlaneInitialized()
                || context.fact(ClusterCertificates.CA_FINGERPRINT).isPresent()) {
            return Problem.blocked(found.lost());
        }
        if (!found.problems().isEmpty()) {
            return Problem.blocked(found.problems());
        }
        WorkloadCluster declared = clusters.declared(context);
        if (declared.deleting() || cluster.object().deleting()) {
            return LiveClusters.waitForDeletion(declared);
        }
        generate(cluster, found.missing(), CertificateSettings.of(declared), context.now());
        return report(context, look(cluster, context.now()));
    }

    private ClusterCertificates look(CapiCluster cluster, Instant now) {
        return ClusterCertificates.look(reader, cluster, api.controlPlane(cluster), now);
    }

    /**
     * Makes the missing pairs and stores each at once, so that a run that is cut short has not worked in vain.
     *
     * <p>Someone else may have created one in the meantime: theirs stays, and the next look adopts it.
     */
    private void generate(
            CapiCluster cluster, List<CertificatePurpose> missing, CertificateSettings settings, Instant now) {
        for (CertificatePurpose purpose : missing) {
            PemPair pair = keyMaker.generate(purpose, settings, now);
            writer.create(ResourceType.SECRETS, ClusterCertificates.secret(purpose, cluster, pair));
        }
    }

    private static Outcome report(PhaseContext context, ClusterCertificates found) {
        List<Problem> problems = found.problemsOfUse(context.fact(ClusterCertificates.CA_FINGERPRINT));
        if (!problems.isEmpty()) {
            return Problem.blocked(problems);
        }
        if (!found.missing().isEmpty()) {
            return Outcome.waiting("WaitingForCertificates", found.missingNames() + " vanished right after creation");
        }
        String fingerprint = found.caFingerprint().orElseThrow();
        return Outcome.done("the key pairs ca, etcd, proxy and sa hold; SHA-256 of the authority: " + fingerprint)
                .with(ClusterCertificates.CA_FINGERPRINT, fingerprint);
    }
}
