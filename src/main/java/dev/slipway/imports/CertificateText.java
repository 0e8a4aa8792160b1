package dev.slipway.imports;

import dev.slipway.pki.Fingerprint;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Certificates as people compare them, and as they are stored. */
final class CertificateText {

    private static final int LINE = 64;

    private CertificateText() {}

    /** Reads a bundle of certificates that was read before: what is unreadable now counts as none. */
    static List<X509Certificate> read(String pem) {
        try (ByteArrayInputStream text = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(text).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException | java.io.IOException e) {
            return List.of();
        }
    }

    static String pem(X509Certificate certificate) {
        try {
            String body = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A parsed certificate could not be encoded", e);
        }
    }

    /** Subject, end of validity and fingerprint of each. */
    static String describe(List<X509Certificate> certificates) {
        return certificates.isEmpty()
                ? "none"
                : certificates.stream()
                        .map(certificate -> "'"
                                + certificate.getSubjectX500Principal().getName() + "', notAfter "
                                + certificate.getNotAfter().toInstant() + ", SHA-256 " + Fingerprint.of(certificate))
                        .collect(Collectors.joining("; "));
    }

    /** Whether that is its SHA-256 fingerprint, however people write one. */
    static boolean hasFingerprint(X509Certificate certificate, String written) {
        return plain(Fingerprint.of(certificate)).equals(plain(written));
    }

    /** Whether that authority has signed it. */
    static boolean signed(X509Certificate authority, X509Certificate certificate) {
        if (authority.getBasicConstraints() < 0) {
            return false;
        }
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String plain(String fingerprint) {
        return fingerprint
                .strip()
                .toUpperCase(Locale.ROOT)
                .replaceFirst("^SHA-?256( FINGERPRINT)?[:=]", "")
                .replaceAll("[:\\s]", "");
    }
}
