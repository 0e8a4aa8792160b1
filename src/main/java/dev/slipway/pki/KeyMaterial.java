package dev.slipway.pki;

import java.security.KeyPair;
import java.time.Instant;

/** Generates the key material of a new cluster. */
public final class KeyMaterial {

    private KeyMaterial() {}

    /**
     * Makes what a purpose needs: a self-signed authority, or a bare key pair for ServiceAccount tokens.
     *
     * @throws IllegalArgumentException for {@link CertificatePurpose#APISERVER_ETCD_CLIENT}: only the user can have it
     */
    public static PemPair generate(CertificatePurpose purpose, CertificateSettings settings, Instant now) {
        if (purpose.authority()) {
            return CertificateAuthority.generate(
                            purpose.commonName(), settings.keyAlgorithm(), settings.caValidity(), now)
                    .pem();
        }
        if (purpose == CertificatePurpose.SA) {
            KeyPair pair = settings.keyAlgorithm().generate();
            return new PemPair(Pem.write(pair.getPublic()), Pem.write(pair.getPrivate(), pair.getPublic()));
        }
        throw new IllegalArgumentException("The secret for " + purpose.display() + " is always the user's");
    }
}
