package dev.slipway.pki;

import dev.slipway.phase.ErrorClass;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Everything that can be wrong with key material, and when it appears. */
public enum ProblemCode {
    SECRET_NOT_LABELLED("The secret lacks the label without which Cluster API never sees it."),
    CERTIFICATE_MISSING("tls.crt is absent or empty."),
    CERTIFICATE_UNREADABLE("tls.crt is not PEM, or a block of it is not an X.509 certificate."),
    PUBLIC_KEY_UNREADABLE("tls.crt of the ServiceAccount pair is not a public key in PEM."),
    KEY_MISSING("tls.key is absent or empty."),
    KEY_UNREADABLE("tls.key is not PEM, or its first block is not a private key."),
    KEY_ENCRYPTED("tls.key needs a passphrase that nobody could type."),
    KEY_UNSUPPORTED("The key is neither RSA of 2048 bits or more nor ECDSA on P-256, P-384 or P-521."),
    KEY_MISMATCH("The private key does not belong to tls.crt."),
    NOT_A_CA("The certificate is not a certificate authority."),
    CA_CANNOT_SIGN("The authority's key usages do not allow it to sign what a cluster needs."),
    CA_NOT_YET_VALID("The authority becomes valid only in the future."),
    CA_EXPIRED("The authority has expired."),
    CA_EXPIRES_SOON("The authority expires within 30 days."),
    CHAIN_INVALID("A certificate after the first one in tls.crt is not a valid certificate authority."),
    CLIENT_CERTIFICATE_EXPIRED("The certificate for the external etcd has expired or is not valid yet."),
    ETCD_CA_MISSING("etcd is external, but the secret with its authority is absent."),
    ETCD_CLIENT_MISSING("etcd is external, but the secret with the client certificate for it is absent."),
    CERTIFICATE_SETTINGS_INVALID("spec.certificates of the WorkloadCluster holds a value that cannot be used."),
    CA_LOST(ErrorClass.UNSAFE, "Key material that the cluster already used is gone."),
    CA_CHANGED(ErrorClass.UNSAFE, "The cluster's authority is not the one that was recorded."),
    KUBECONFIG_UNREADABLE("The kubeconfig secret holds no kubeconfig, or an incomplete one."),
    KUBECONFIG_INSECURE("The kubeconfig asks to skip the verification of the server."),
    KUBECONFIG_CA_DIFFERS(ErrorClass.TRUST, "The kubeconfig trusts another authority than the cluster's."),
    KUBECONFIG_ENDPOINT_DIFFERS("The kubeconfig points to another server than the cluster's endpoint."),
    KUBECONFIG_KEY_MISMATCH("The kubeconfig's client key does not belong to its client certificate."),
    KUBECONFIG_EXPIRED("The kubeconfig's client certificate has expired.");

    private final ErrorClass errorClass;
    private final String appears;

    ProblemCode(String appears) {
        this(ErrorClass.INVALID, appears);
    }

    ProblemCode(ErrorClass errorClass, String appears) {
        this.errorClass = errorClass;
        this.appears = appears;
    }

    /** The UpperCamel reason of conditions and tasks, for example {@code CaExpired}. */
    public String code() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
    }

    /** When this code appears, in one sentence. */
    public String appears() {
        return appears;
    }

    /** What the kernel does about it. */
    public ErrorClass errorClass() {
        return errorClass;
    }
}
