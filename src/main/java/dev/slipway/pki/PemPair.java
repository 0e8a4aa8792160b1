package dev.slipway.pki;

/**
 * A certificate or public key with its private key, as PEM.
 *
 * @param certificate the certificate, or the public key of a ServiceAccount pair
 * @param privateKey PKCS#1 for RSA, SEC 1 for EC; never printed
 */
public record PemPair(String certificate, String privateKey) {

    @Override
    public String toString() {
        return "PemPair[private key withheld]";
    }
}
