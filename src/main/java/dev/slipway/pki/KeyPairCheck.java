package dev.slipway.pki;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** Whether a secret's key material can be used. */
public sealed interface KeyPairCheck {

    /**
     * It can be used.
     *
     * @param fingerprint of the certificate, or of the public key of a ServiceAccount pair
     * @param certificate the first certificate; empty for a ServiceAccount pair
     * @param authority certificate and key; empty if it cannot sign here
     */
    record Valid(String fingerprint, Optional<X509Certificate> certificate, Optional<CertificateAuthority> authority)
            implements KeyPairCheck {}

    /** It cannot be used. */
    record Invalid(Problem problem) implements KeyPairCheck {}
}
