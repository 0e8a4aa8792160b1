package dev.slipway.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.Optional;

/** The key algorithms that Slipway generates; Kubernetes and kubeadm read them all. */
public enum KeyAlgorithm {
    RSA_2048("RSA", 2048, ""),
    RSA_3072("RSA", 3072, ""),
    RSA_4096("RSA", 4096, ""),
    ECDSA_P256("ECDSA", 256, "secp256r1"),
    ECDSA_P384("ECDSA", 384, "secp384r1");

    private final String family;
    private final int size;
    private final String curve;

    KeyAlgorithm(String family, int size, String curve) {
        this.family = family;
        this.size = size;
        this.curve = curve;
    }

    /** The algorithm of a family ({@code RSA}, {@code ECDSA}) and a key size in bits; empty if there is none. */
    public static Optional<KeyAlgorithm> of(String family, int size) {
        return Arrays.stream(values())
                .filter(a -> a.family.equals(family) && a.size == size)
                .findFirst();
    }

    /** {@code RSA} or {@code ECDSA}, as in {@code spec.certificates.keyAlgorithm}. */
    public String family() {
        return family;
    }

    /** The key size in bits. */
    public int size() {
        return size;
    }

    KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(curve.isEmpty() ? "RSA" : "EC");
            generator.initialize(
                    curve.isEmpty()
                            ? new RSAKeyGenParameterSpec(size, RSAKeyGenParameterSpec.F4)
                            : new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime cannot generate " + this + " keys", e);
        }
    }

    /** The signature algorithm that fits a key: a hash as strong as the curve. */
    static String signatureFor(PrivateKey key) {
        if (key instanceof java.security.interfaces.ECKey ec) {
            int bits = ec.getParams().getOrder().bitLength();
            return (bits <= 256 ? "SHA256" : bits <= 384 ? "SHA384" : "SHA512") + "withECDSA";
        }
        return "SHA256withRSA";
    }
}
