package dev.slipway.pki;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/** SHA-256 fingerprints, written as {@code openssl x509 -fingerprint -sha256} writes them. */
public final class Fingerprint {

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":").withUpperCase();

    private Fingerprint() {}

    /** The fingerprint of a certificate: over its DER encoding. */
    public static String of(X509Certificate certificate) {
        try {
            return sha256(certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A parsed certificate could not be encoded", e);
        }
    }

    /** The fingerprint of a public key: over its SubjectPublicKeyInfo. */
    public static String of(PublicKey key) {
        return sha256(key.getEncoded());
    }

    private static String sha256(byte[] der) {
        try {
            return COLONS.formatHex(MessageDigest.getInstance("SHA-256").digest(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256", e);
        }
    }
}
