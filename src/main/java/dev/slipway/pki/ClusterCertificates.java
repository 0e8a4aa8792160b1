package dev.slipway.pki;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ControlPlaneView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The key material of one cluster, as one live look found it.
 *
 * <p>An external etcd is declared by the control plane object or by {@code <c>-apiserver-etcd-client}. Then that secret
 * and {@code <c>-etcd} are the user's, and {@code <c>-etcd} needs no key.
 *
 * @param namespace the cluster's namespace
 * @param cluster the cluster's name
 * @param valid what can be used
 * @param missing what is absent, in the order of {@link CertificatePurpose#REQUIRED}
 * @param problems what is there and cannot be used
 * @param types the types of the secrets that are there
 */
public record ClusterCertificates(
        String namespace,
        String cluster,
        Map<CertificatePurpose, KeyPairCheck.Valid> valid,
        List<CertificatePurpose> missing,
        List<Problem> problems,
        Map<CertificatePurpose, String> types) {

    /** The fact that names the cluster's authority: its SHA-256 fingerprint. */
    public static final String CA_FINGERPRINT = "caFingerprint";

    public ClusterCertificates {
        valid = Map.copyOf(valid);
        missing = List.copyOf(missing);
        problems = List.copyOf(problems);
        types = Map.copyOf(types);
    }

    /**
     * Reads and checks all secrets, live; writes nothing.
     *
     * @param cluster whose secrets
     * @param controlPlane the control plane object, which may say that etcd is external; empty if there is none
     */
    public static ClusterCertificates look(
            LiveReader reader, CapiCluster cluster, Optional<ControlPlaneView> controlPlane, Instant now) {
        Look look = new Look(cluster.namespace(), cluster.name(), now);
        Optional<StoredSecret> etcdClient = look.read(reader, CertificatePurpose.APISERVER_ETCD_CLIENT);
        boolean external = etcdClient.isPresent()
                || controlPlane
                        .filter(ClusterCertificates::declaresExternalEtcd)
                        .isPresent();
        for (CertificatePurpose purpose : CertificatePurpose.REQUIRED) {
            Optional<StoredSecret> secret = look.read(reader, purpose);
            if (purpose == CertificatePurpose.ETCD && external) {
                look.externalEtcd(secret, etcdClient);
            } else {
                secret.ifPresentOrElse(found -> look.check(purpose, found), () -> look.missing.add(purpose));
            }
        }
        return look.result();
    }

    private static boolean declaresExternalEtcd(ControlPlaneView controlPlane) {
        return controlPlane
                .object()
                .at("spec", "kubeadmConfigSpec", "clusterConfiguration", "etcd", "external")
                .isObject();
    }

    /** Reads and checks the cluster's authority alone; one that is absent was lost, and is a problem. */
    public static ClusterCertificates lookAtAuthority(LiveReader reader, CapiCluster cluster, Instant now) {
        Look look = new Look(cluster.namespace(), cluster.name(), now);
        look.read(reader, CertificatePurpose.CA)
                .ifPresentOrElse(
                        secret -> look.check(CertificatePurpose.CA, secret),
                        () -> look.problems.add(lost(look.namespace, look.cluster, CertificatePurpose.CA)));
        return look.result();
    }

    /** The fingerprint of the cluster's authority; empty unless it can be used. */
    public Optional<String> caFingerprint() {
        return Optional.ofNullable(valid.get(CertificatePurpose.CA)).map(KeyPairCheck.Valid::fingerprint);
    }

    /**
     * The cluster's authority, with its key.
     *
     * @throws IllegalStateException unless it was found and can be used
     */
    public CertificateAuthority authority() {
        return Optional.ofNullable(valid.get(CertificatePurpose.CA))
                .flatMap(KeyPairCheck.Valid::authority)
                .orElseThrow(() -> new IllegalStateException("Ask for problems before the authority is used"));
    }

    /** The secret to create for a purpose. */
    public static KubeObject secret(CertificatePurpose purpose, CapiCluster owner, PemPair pair) {
        Map<String, String> data =
                Map.of(StoredSecret.CERTIFICATE, pair.certificate(), StoredSecret.KEY, pair.privateKey());
        return StoredSecret.create(purpose.secretName(owner.name()), owner, data)
                .object();
    }

    /**
     * What forbids to build on what is there: the problems, or an authority that is not the recorded one.
     *
     * @param recorded the fingerprint that was recorded when the cluster was built; empty if none was
     */
    public List<Problem> problemsOfUse(Optional<String> recorded) {
        if (!problems.isEmpty()) {
            return problems;
        }
        return caFingerprint()
                .filter(live -> recorded.isPresent() && !recorded.get().equals(live))
                .map(live -> List.of(changed(live, recorded.orElse(""))))
                .orElse(List.of());
    }

    private Problem changed(String live, String recorded) {
        return new Problem(
                ProblemCode.CA_CHANGED,
                StoredSecret.display(namespace, CertificatePurpose.CA.secretName(cluster)),
                StoredSecret.CERTIFICATE,
                "the authority has the SHA-256 fingerprint " + live + ", but the cluster was built with " + recorded,
                Remedies.RESTORE);
    }

    /** The missing ones, as a loss: the cluster already uses them, new ones would cut off every node. */
    public List<Problem> lost() {
        return missing.stream()
                .map(purpose -> lost(namespace, cluster, purpose))
                .toList();
    }

    private static Problem lost(String namespace, String cluster, CertificatePurpose purpose) {
        return new Problem(
                ProblemCode.CA_LOST,
                StoredSecret.display(namespace, purpose.secretName(cluster)),
                "metadata.name",
                "the secret is gone, but the cluster already uses its key pair; a new one would cut off every node",
                Remedies.RESTORE);
    }

    /** The names of the missing secrets, for messages. */
    public String missingNames() {
        return String.join(
                ", ",
                missing.stream()
                        .map(p -> StoredSecret.display(namespace, p.secretName(cluster)))
                        .toList());
    }

    /** What a look collects on its way. */
    private static final class Look {

        private final String namespace;
        private final String cluster;
        private final Instant now;
        private final Map<CertificatePurpose, KeyPairCheck.Valid> valid = new EnumMap<>(CertificatePurpose.class);
        private final List<CertificatePurpose> missing = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();
        private final Map<CertificatePurpose, String> types = new EnumMap<>(CertificatePurpose.class);

        Look(String namespace, String cluster, Instant now) {
            this.namespace = namespace;
            this.cluster = cluster;
            this.now = now;
        }

        Optional<StoredSecret> read(LiveReader reader, CertificatePurpose purpose) {
            Optional<StoredSecret> secret = reader.get(ResourceType.SECRETS, namespace, purpose.secretName(cluster))
                    .map(StoredSecret::new);
            secret.ifPresent(found -> types.put(purpose, found.type()));
            return secret;
        }

        void check(CertificatePurpose purpose, StoredSecret secret) {
            record(purpose, KeyPairSecret.check(secret, cluster, purpose, now));
        }

        /** Never generated: a new authority would not be the one that the external etcd has. */
        void externalEtcd(Optional<StoredSecret> authority, Optional<StoredSecret> client) {
            client.ifPresentOrElse(
                    secret -> check(CertificatePurpose.APISERVER_ETCD_CLIENT, secret),
                    () -> problems.add(absent(
                            CertificatePurpose.APISERVER_ETCD_CLIENT,
                            ProblemCode.ETCD_CLIENT_MISSING,
                            Remedies.externalEtcdClient(namespace, cluster))));
            authority.ifPresentOrElse(
                    this::checkEtcdAuthority,
                    () -> problems.add(absent(
                            CertificatePurpose.ETCD,
                            ProblemCode.ETCD_CA_MISSING,
                            Remedies.externalEtcdAuthority(namespace, cluster))));
        }

        private void checkEtcdAuthority(StoredSecret secret) {
            CertificatePurpose etcd = CertificatePurpose.ETCD;
            record(
                    etcd,
                    secret.data(StoredSecret.KEY).isPresent()
                            ? KeyPairSecret.check(secret, cluster, etcd, now)
                            : KeyPairSecret.checkWithoutKey(secret, cluster, etcd, now));
        }

        private Problem absent(CertificatePurpose purpose, ProblemCode code, String remedy) {
            return new Problem(
                    code,
                    StoredSecret.display(namespace, purpose.secretName(cluster)),
                    "metadata.name",
                    "the secret is absent, though etcd is external; Slipway cannot make it",
                    remedy);
        }

        private void record(CertificatePurpose purpose, KeyPairCheck check) {
            if (check instanceof KeyPairCheck.Valid ok) {
                valid.put(purpose, ok);
            } else if (check instanceof KeyPairCheck.Invalid invalid) {
                problems.add(invalid.problem());
            }
        }

        ClusterCertificates result() {
            return new ClusterCertificates(namespace, cluster, valid, missing, problems, types);
        }
    }
}
