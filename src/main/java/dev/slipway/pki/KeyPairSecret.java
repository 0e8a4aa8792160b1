package dev.slipway.pki;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks one secret with a key pair of a cluster.
 *
 * <ul>
 *   <li>it carries the cluster's label;
 *   <li>certificate (or public key) and private key parse, are of a kind that Kubernetes reads, and belong together;
 *   <li>an authority is one, may sign, is valid now and for 30 days more;
 *   <li>further certificates of {@code tls.crt} are valid authorities too.
 * </ul>
 */
public final class KeyPairSecret {

    /** An authority with less left than this is refused for a new cluster. */
    public static final Duration MINIMUM_LEFT = Duration.ofDays(30);

    private static final int KEY_CERT_SIGN = 5;
    private static final int MINIMUM_RSA_BITS = 2048;
    private static final Set<Integer> EC_BITS = Set.of(256, 384, 521);
    private static final String ANY_USAGE = "2.5.29.37.0";
    private static final List<String> TLS_USAGES = List.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");

    private final StoredSecret secret;
    private final String cluster;
    private final CertificatePurpose purpose;
    private final Instant now;

    private KeyPairSecret(StoredSecret secret, String cluster, CertificatePurpose purpose, Instant now) {
        this.secret = secret;
        this.cluster = cluster;
        this.purpose = purpose;
        this.now = now;
    }

    /** Checks certificate and key. */
    public static KeyPairCheck check(StoredSecret secret, String cluster, CertificatePurpose purpose, Instant now) {
        return new KeyPairSecret(secret, cluster, purpose, now).check(true);
    }

    /** Checks an authority whose key stays elsewhere: the one of an external etcd. */
    public static KeyPairCheck checkWithoutKey(
            StoredSecret secret, String cluster, CertificatePurpose purpose, Instant now) {
        return new KeyPairSecret(secret, cluster, purpose, now).check(false);
    }

    private KeyPairCheck check(boolean withKey) {
        if (!secret.labelledFor(cluster)) {
            return new KeyPairCheck.Invalid(notLabelled(secret, cluster));
        }
        try {
            return purpose == CertificatePurpose.SA ? checkKeys() : checkCertificate(withKey);
        } catch (PemException e) {
            boolean key = e.code().name().startsWith("KEY_");
            return invalid(e.code(), key ? StoredSecret.KEY : StoredSecret.CERTIFICATE, e.message());
        }
    }

    /** The problem of a secret that Cluster API's caches do not see: the cluster would wait for ever without a word. */
    static Problem notLabelled(StoredSecret secret, String cluster) {
        String namespace = secret.object().namespace();
        String has = secret.object().labels().get(StoredSecret.CLUSTER_LABEL);
        String command =
                "kubectl -n " + namespace + " label secret " + secret.object().name() + " " + StoredSecret.CLUSTER_LABEL
                        + "=" + cluster + (has == null ? "" : " --overwrite");
        return new Problem(
                ProblemCode.SECRET_NOT_LABELLED,
                secret.display(),
                "metadata.labels",
                "the label " + StoredSecret.CLUSTER_LABEL + " is " + (has == null ? "absent" : "\"" + has + "\"")
                        + ", so Cluster API does not see the secret and would wait for ever",
                command);
    }

    private KeyPairCheck checkKeys() throws PemException {
        PublicKey publicKey = Pem.publicKey(certificateText());
        PrivateKey privateKey = Pem.privateKey(keyText());
        requireSupported(publicKey, ProblemCode.KEY_UNSUPPORTED);
        requirePair(publicKey, privateKey);
        return new KeyPairCheck.Valid(Fingerprint.of(publicKey), Optional.empty(), Optional.empty());
    }

    private KeyPairCheck checkCertificate(boolean withKey) throws PemException {
        List<X509Certificate> chain = Pem.certificates(certificateText());
        X509Certificate first = chain.get(0);
        requireSupported(first.getPublicKey(), ProblemCode.KEY_UNSUPPORTED);
        Optional<CertificateAuthority> authority = Optional.empty();
        if (withKey) {
            PrivateKey key = Pem.privateKey(keyText());
            requirePair(first.getPublicKey(), key);
            authority = Optional.of(new CertificateAuthority(first, key));
        }
        if (purpose.authority()) {
            requireAuthority(first);
            requireChain(chain);
            return new KeyPairCheck.Valid(Fingerprint.of(first), Optional.of(first), authority);
        }
        requireClient(first);
        return new KeyPairCheck.Valid(Fingerprint.of(first), Optional.of(first), Optional.empty());
    }

    private String certificateText() throws PemException {
        return secret.data(StoredSecret.CERTIFICATE)
                .orElseThrow(() -> new PemException(ProblemCode.CERTIFICATE_MISSING, "it is absent or empty"));
    }

    private String keyText() throws PemException {
        return secret.data(StoredSecret.KEY)
                .orElseThrow(() -> new PemException(ProblemCode.KEY_MISSING, "it is absent or empty"));
    }

    private static void requireSupported(PublicKey key, ProblemCode code) throws PemException {
        if (!supported(key)) {
            String size =
                    key instanceof RSAPublicKey rsa ? " of " + rsa.getModulus().bitLength() + " bits" : "";
            throw new PemException(
                    code,
                    "its key is " + key.getAlgorithm() + size
                            + "; Kubernetes needs RSA of at least 2048 bits or ECDSA on P-256, P-384 or P-521");
        }
    }

    private static boolean supported(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return rsa.getModulus().bitLength() >= MINIMUM_RSA_BITS;
        }
        return key instanceof ECPublicKey ec
                && EC_BITS.contains(ec.getParams().getOrder().bitLength());
    }

    private void requirePair(PublicKey publicKey, PrivateKey privateKey) throws PemException {
        if (!pair(publicKey, privateKey)) {
            String other = purpose == CertificatePurpose.SA ? "public key" : "certificate";
            throw new PemException(
                    ProblemCode.KEY_MISMATCH,
                    "the private key does not belong to the " + other + " in " + StoredSecret.CERTIFICATE);
        }
    }

    /** Whether what one signs the other verifies. */
    static boolean pair(PublicKey publicKey, PrivateKey privateKey) {
        if (!publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
            return false;
        }
        byte[] probe = {1, 2, 3, 4};
        try {
            Signature signature = Signature.getInstance(KeyAlgorithm.signatureFor(privateKey));
            signature.initSign(privateKey);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private void requireAuthority(X509Certificate certificate) throws PemException {
        String subject = "\"" + certificate.getSubjectX500Principal() + "\"";
        if (certificate.getBasicConstraints() < 0) {
            throw new PemException(
                    ProblemCode.NOT_A_CA, subject + " is not a certificate authority (basic constraints lack CA:TRUE)");
        }
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[KEY_CERT_SIGN]) {
            throw new PemException(ProblemCode.CA_CANNOT_SIGN, "the key usage of " + subject + " lacks keyCertSign");
        }
        requireTlsUsages(certificate, subject);
        requireValidity(certificate, subject);
    }

    /** Go takes extended key usages of an authority as a limit for everything below it. */
    private static void requireTlsUsages(X509Certificate certificate, String subject) throws PemException {
        List<String> usages;
        try {
            usages = certificate.getExtendedKeyUsage();
        } catch (GeneralSecurityException e) {
            throw new PemException(
                    ProblemCode.CERTIFICATE_UNREADABLE, "the extended key usage of " + subject + " is damaged");
        }
        if (usages != null && !usages.contains(ANY_USAGE) && !usages.containsAll(TLS_USAGES)) {
            throw new PemException(
                    ProblemCode.CA_CANNOT_SIGN,
                    "the extended key usage of " + subject + " does not allow both server and client certificates");
        }
    }

    private void requireValidity(X509Certificate certificate, String subject) throws PemException {
        Instant start = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        if (start.isAfter(now.plus(CertificateAuthority.CLOCK_SKEW))) {
            throw new PemException(ProblemCode.CA_NOT_YET_VALID, subject + " is valid only from " + start);
        }
        if (!end.isAfter(now)) {
            throw new PemException(ProblemCode.CA_EXPIRED, subject + " expired on " + end);
        }
        if (!end.isAfter(now.plus(MINIMUM_LEFT))) {
            throw new PemException(
                    ProblemCode.CA_EXPIRES_SOON,
                    subject + " expires on " + end + ", in less than " + MINIMUM_LEFT.toDays() + " days");
        }
    }

    private void requireChain(List<X509Certificate> chain) throws PemException {
        for (int i = 1; i < chain.size(); i++) {
            X509Certificate certificate = chain.get(i);
            boolean valid = certificate.getBasicConstraints() >= 0
                    && certificate.getNotAfter().toInstant().isAfter(now);
            if (!valid) {
                throw new PemException(
                        ProblemCode.CHAIN_INVALID,
                        "certificate " + (i + 1) + ", \"" + certificate.getSubjectX500Principal()
                                + "\", is not a certificate authority or has expired");
            }
        }
    }

    private void requireClient(X509Certificate certificate) throws PemException {
        Instant start = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        if (start.isAfter(now.plus(CertificateAuthority.CLOCK_SKEW)) || !end.isAfter(now)) {
            throw new PemException(
                    ProblemCode.CLIENT_CERTIFICATE_EXPIRED,
                    "\"" + certificate.getSubjectX500Principal() + "\" is valid only from " + start + " to " + end);
        }
    }

    private KeyPairCheck invalid(ProblemCode code, String field, String message) {
        return new KeyPairCheck.Invalid(new Problem(
                code, secret.display(), field, message, Remedies.forKeyPair(code, secret.object(), purpose)));
    }
}
