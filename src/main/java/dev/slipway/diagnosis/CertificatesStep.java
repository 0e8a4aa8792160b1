package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ControlPlaneView;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.pki.CertificatePurpose;
import dev.slipway.pki.ClusterCertificates;
import dev.slipway.pki.KeyPairCheck;
import dev.slipway.pki.KubeconfigCheck;
import dev.slipway.pki.KubeconfigSecret;
import dev.slipway.pki.Problem;
import dev.slipway.pki.ProblemCode;
import dev.slipway.pki.StoredSecret;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at the secrets with key material: there or not, readable, matching, valid until when. Never shows any of it. */
@Component
final class CertificatesStep implements Step {

    private final LiveReader reader;
    private final ClusterApi api;
    private final WorkloadClusters workloads;
    private final Clock clock;

    CertificatesStep(LiveReader reader, ClusterApi api, WorkloadClusters workloads, Clock clock) {
        this.reader = reader;
        this.api = api;
        this.workloads = workloads;
        this.clock = clock;
    }

    @Override
    public int number() {
        return 3;
    }

    @Override
    public String title() {
        return "Certificates and kubeconfig";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        new Look(cluster, findings, clock.instant()).all();
    }

    /** One look, with what it has seen so far. */
    private final class Look {

        private final ClusterRef ref;
        private final Findings findings;
        private final Instant now;
        private Sight<CapiCluster> cluster = Sight.unknown();
        private Optional<ControlPlaneView> controlPlane = Optional.empty();
        private Sight<ClusterCertificates> certificates = Sight.unknown();

        Look(ClusterRef ref, Findings findings, Instant now) {
            this.ref = ref;
            this.findings = findings;
            this.now = now;
        }

        void all() {
            findings.look("cluster/" + ref.name(), () -> {
                cluster = Sight.of(api.cluster(ref.namespace(), ref.name()));
                controlPlane = cluster.present().flatMap(api::controlPlane);
            });
            findings.look("secrets", () -> {
                ClusterCertificates found = ClusterCertificates.look(reader, named(), controlPlane, now);
                certificates = Sight.of(Optional.of(found));
                for (CertificatePurpose purpose : CertificatePurpose.values()) {
                    keyPair(found, purpose);
                }
            });
            String kubeconfig = "secret/" + KubeconfigSecret.name(ref.name());
            findings.look(kubeconfig, () -> kubeconfig(kubeconfig));
        }

        /** The secrets go by the cluster's name alone: they may outlive it. */
        private CapiCluster named() {
            ResourceType type = new ResourceType(ClusterApi.GROUP, "v1beta2", "clusters", "Cluster", true);
            return cluster.present()
                    .orElseGet(() -> new CapiCluster(KubeObject.named(type, ref.namespace(), ref.name())));
        }

        private void keyPair(ClusterCertificates found, CertificatePurpose purpose) {
            String name = purpose.secretName(ref.name());
            String object = "secret/" + name;
            String type = "type: " + found.types().getOrDefault(purpose, "?");
            KeyPairCheck.Valid valid = found.valid().get(purpose);
            if (valid != null) {
                findings.add(Seen.ok(object, sentence(valid), type, "SHA-256 " + valid.fingerprint()));
            }
            found.problems().stream()
                    .filter(problem -> problem.object().endsWith("/" + name))
                    .forEach(problem -> findings.add(problem(object, problem, type)));
            if (found.missing().contains(purpose)) {
                findings.add(missing(found, object));
            }
        }

        private String sentence(KeyPairCheck.Valid valid) {
            return valid.certificate()
                    .map(certificate -> "certificate and key match, valid until "
                            + certificate.getNotAfter().toInstant())
                    .orElse("public and private key match");
        }

        private Seen problem(String object, Problem problem, String type) {
            String code = problem.code().code();
            String sentence = problem.field() + ": " + problem.message();
            return problem.code() == ProblemCode.CA_EXPIRES_SOON
                    ? Seen.warning(object, code, sentence, type, problem.remedy())
                    : Seen.problem(object, code, sentence, type, problem.remedy());
        }

        /** Once the control plane used them, new ones would cut off every node. Only kubeadm's is known to use them. */
        private Seen missing(ClusterCertificates found, String object) {
            boolean kubeadm = controlPlane
                    .filter(plane -> plane.object().kind().equals("KubeadmControlPlane"))
                    .isPresent();
            boolean used = cluster.present()
                    .filter(CapiCluster::controlPlaneInitialized)
                    .isPresent();
            if (kubeadm && used) {
                Problem lost = found.lost().get(0);
                return Seen.problem(object, lost.code().code(), lost.message(), lost.remedy());
            }
            return Seen.warning(object, "SecretAbsent", "there is none (yet)");
        }

        private void kubeconfig(String object) {
            Optional<StoredSecret> secret = reader.get(
                            ResourceType.SECRETS, ref.namespace(), KubeconfigSecret.name(ref.name()))
                    .map(StoredSecret::new);
            if (secret.isEmpty()) {
                findings.add(Seen.warning(object, "SecretAbsent", "there is none (yet)"));
                return;
            }
            String type = "type: " + secret.get().type();
            String server;
            try {
                // Parses it as whoever uses it will.
                server = workloads.open(ref.uid(), secret.get().object()).server();
            } catch (Failure unusable) {
                findings.add(Seen.problem(object, unusable.code(), unusable.message(), type));
                return;
            }
            findings.add(compared(object, secret.get(), server, type));
        }

        private Seen compared(String object, StoredSecret secret, String server, String type) {
            Optional<Endpoint> endpoint = cluster.present().flatMap(CapiCluster::endpoint);
            Optional<ClusterCertificates> ca =
                    certificates.present().filter(found -> found.caFingerprint().isPresent());
            if (endpoint.isEmpty() || ca.isEmpty()) {
                return Seen.warning(
                        object,
                        "NotCompared",
                        "it can be read and points to " + server + "; it was not compared with the cluster, since "
                                + (endpoint.isEmpty() ? "that has no endpoint" : "its authority cannot be used"),
                        type);
            }
            KubeconfigSecret wanted = new KubeconfigSecret(
                    ref.name(), "https://" + endpoint.get().display(), ca.get().authority(), now);
            return checked(object, wanted.check(secret), type);
        }

        private Seen checked(String object, KubeconfigCheck check, String type) {
            if (check instanceof KubeconfigCheck.Invalid invalid) {
                return problem(object, invalid.problem(), type);
            }
            if (check instanceof KubeconfigCheck.Outdated outdated) {
                return problem(object, outdated.problem(), type);
            }
            String good = "it trusts the cluster's authority and points to its endpoint; ";
            if (check instanceof KubeconfigCheck.Ageing ageing) {
                return Seen.ok(
                        object,
                        good + "its client certificate is past half of its life and ends " + ageing.expires(),
                        type);
            }
            Optional<Instant> end = check instanceof KubeconfigCheck.Valid valid ? valid.expires() : Optional.empty();
            return Seen.ok(
                    object,
                    good
                            + end.map(time -> "its client certificate ends " + time)
                                    .orElse("it has no client certificate"),
                    type);
        }
    }
}
