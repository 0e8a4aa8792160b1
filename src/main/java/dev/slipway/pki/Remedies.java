package dev.slipway.pki;

import dev.slipway.kubernetes.KubeObject;

/** What a person can do about a problem: one command where one is enough. */
final class Remedies {

    static final String RESTORE = "Restore the secret from a backup, with its label " + StoredSecret.CLUSTER_LABEL
            + ", or fill it with certificate and key from /etc/kubernetes/pki of a control plane machine";

    private Remedies() {}

    static String forKeyPair(ProblemCode code, KubeObject secret, CertificatePurpose purpose) {
        return switch (code) {
            case KEY_MISSING, KEY_MISMATCH -> {
                String external = code == ProblemCode.KEY_MISSING && purpose == CertificatePurpose.ETCD
                        ? " (or, if etcd is external, add the secret with the client certificate for it)"
                        : "";
                String what = purpose == CertificatePurpose.SA ? "public key" : "certificate";
                yield "Put the private key that belongs to the " + what + " into the secret" + external + ": "
                        + replace(secret, StoredSecret.KEY, "ca.key");
            }
            case KEY_UNREADABLE ->
                "Convert the key with \"openssl pkey -in ca.key -out plain.key\" and put it into the secret: "
                        + replace(secret, StoredSecret.KEY, "plain.key");
            case KEY_ENCRYPTED ->
                "Remove the passphrase with \"openssl pkey -in ca.key -out plain.key\" and put the key into the secret: "
                        + replace(secret, StoredSecret.KEY, "plain.key");
            case PUBLIC_KEY_UNREADABLE ->
                "Derive the public key with \"openssl pkey -in sa.key -pubout -out sa.pub\" and put it into the secret: "
                        + replace(secret, StoredSecret.CERTIFICATE, "sa.pub");
            case CHAIN_INVALID ->
                "Leave only the certificate authority (and the authorities that issued it) in ca.crt: "
                        + replace(secret, StoredSecret.CERTIFICATE, "ca.crt");
            case CLIENT_CERTIFICATE_EXPIRED ->
                "Let the authority of the external etcd issue a new client certificate and put it into the secret: "
                        + replaceBoth(secret, "client.crt", "client.key");
            default -> "Put a usable pair into the secret: " + replaceBoth(secret, "ca.crt", "ca.key");
        };
    }

    static String forKubeconfig(ProblemCode code, StoredSecret secret, String server) {
        KubeObject object = secret.object();
        String replace = patch(object, entry(StoredSecret.KUBECONFIG, "kubeconfig"));
        if (secret.controlPlaneOwner().isPresent()) {
            return "Ask its owner " + secret.controlPlaneOwner().get() + " for a new one: kubectl -n "
                    + object.namespace() + " describe "
                    + secret.controlPlaneOwner().get();
        }
        if (secret.madeBySlipway()) {
            return "Delete it, Slipway makes a new one: kubectl -n " + object.namespace() + " delete secret "
                    + object.name();
        }
        return switch (code) {
            case KUBECONFIG_ENDPOINT_DIFFERS ->
                "Set its server to " + server + " (\"kubectl --kubeconfig kubeconfig config set-cluster\"): " + replace;
            case KUBECONFIG_EXPIRED -> "Supply a kubeconfig with a new client certificate: " + replace;
            case KUBECONFIG_INSECURE -> "Remove insecure-skip-tls-verify and add the authority: " + replace;
            default ->
                "Supply a kubeconfig that \"kubectl config view --raw --flatten --minify\" printed for this cluster: "
                        + replace;
        };
    }

    static String externalEtcdAuthority(String namespace, String cluster) {
        String name = CertificatePurpose.ETCD.secretName(cluster);
        return "Supply the authority of the external etcd: kubectl -n " + namespace + " create secret generic " + name
                + " --from-file=tls.crt=etcd-ca.crt && kubectl -n " + namespace + " label secret " + name + " "
                + StoredSecret.CLUSTER_LABEL + "=" + cluster;
    }

    static String externalEtcdClient(String namespace, String cluster) {
        String name = CertificatePurpose.APISERVER_ETCD_CLIENT.secretName(cluster);
        return "Supply the client certificate for the external etcd: kubectl -n " + namespace + " create secret tls "
                + name + " --cert=client.crt --key=client.key && kubectl -n " + namespace + " label secret " + name
                + " "
                + StoredSecret.CLUSTER_LABEL + "=" + cluster;
    }

    /** Works whatever the secret's type is; the type itself cannot be changed. */
    private static String replace(KubeObject secret, String field, String file) {
        return patch(secret, entry(field, file));
    }

    private static String replaceBoth(KubeObject secret, String certificate, String key) {
        return patch(secret, entry(StoredSecret.CERTIFICATE, certificate) + "," + entry(StoredSecret.KEY, key));
    }

    private static String patch(KubeObject secret, String entries) {
        return "kubectl -n " + secret.namespace() + " patch secret " + secret.name()
                + " --type merge -p \"{\\\"data\\\":{" + entries + "}}\"";
    }

    private static String entry(String field, String file) {
        return "\\\"" + field + "\\\":\\\"$(base64 < " + file + " | tr -d '\\n')\\\"";
    }
}
