package dev.slipway.pki;

import dev.slipway.pki.CertificateRequest.Usage;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate and the key that signs with it.
 *
 * <p>What it issues: version 3, a random positive serial of 128 bits, valid from five minutes ago (clocks differ) and
 * never beyond the authority's own end, subject and authority key identifiers, critical basic constraints and key
 * usage.
 */
public final class CertificateAuthority {

    /** How far clocks may differ. */
    static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final X509Certificate certificate;
    private final PrivateKey key;

    CertificateAuthority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * Makes a self-signed authority.
     *
     * @param commonName its CN
     * @param keyAlgorithm the algorithm of its key
     * @param validity how long from now
     * @param now the current time
     */
    public static CertificateAuthority generate(
            String commonName, KeyAlgorithm keyAlgorithm, Duration validity, Instant now) {
        KeyPair pair = keyAlgorithm.generate();
        X500Name name = name(commonName, List.of());
        Instant notAfter = now.plus(validity);
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name, serial(), Date.from(now.minus(CLOCK_SKEW)), Date.from(notAfter), name, pair.getPublic());
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(
                            Extension.keyUsage,
                            true,
                            new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifiers.createSubjectKeyIdentifier(pair.getPublic()))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            identifiers.createAuthorityKeyIdentifier(pair.getPublic()));
            return new CertificateAuthority(sign(builder, pair.getPrivate()), pair.getPrivate());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("The certificate authority " + commonName + " could not be made", e);
        }
    }

    /** Makes a key pair and a certificate for it, signed by this authority. */
    public PemPair issue(CertificateRequest request, Instant now) {
        KeyPair pair = request.keyAlgorithm().generate();
        Instant wanted = now.plus(request.validity());
        Instant end = certificate.getNotAfter().toInstant();
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
                    serial(),
                    Date.from(notBefore(now)),
                    Date.from(wanted.isBefore(end) ? wanted : end),
                    name(request.commonName(), request.organizations()),
                    pair.getPublic());
            addLeafExtensions(builder, request, pair.getPublic());
            return new PemPair(Pem.write(sign(builder, key)), Pem.write(pair.getPrivate(), pair.getPublic()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("A certificate for " + request.commonName() + " could not be issued", e);
        }
    }

    /** Never before the authority itself: some verifiers want the chain nested in time. */
    private Instant notBefore(Instant now) {
        Instant start = certificate.getNotBefore().toInstant();
        Instant wanted = now.minus(CLOCK_SKEW);
        return wanted.isBefore(start) ? start : wanted;
    }

    private void addLeafExtensions(X509v3CertificateBuilder builder, CertificateRequest request, PublicKey publicKey)
            throws GeneralSecurityException, IOException {
        JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
        boolean rsa = publicKey instanceof RSAPublicKey;
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(
                        Extension.keyUsage,
                        true,
                        new KeyUsage(KeyUsage.digitalSignature | (rsa ? KeyUsage.keyEncipherment : 0)))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes(request)))
                .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(publicKey))
                .addExtension(
                        Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(certificate));
        List<GeneralName> names = new ArrayList<>();
        request.dnsNames().forEach(dns -> names.add(new GeneralName(GeneralName.dNSName, dns)));
        request.ipAddresses().forEach(ip -> names.add(new GeneralName(GeneralName.iPAddress, ip)));
        if (!names.isEmpty()) {
            builder.addExtension(
                    Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(new GeneralName[0])));
        }
    }

    private static KeyPurposeId[] purposes(CertificateRequest request) {
        List<KeyPurposeId> purposes = new ArrayList<>();
        if (request.usages().contains(Usage.SERVER)) {
            purposes.add(KeyPurposeId.id_kp_serverAuth);
        }
        if (request.usages().contains(Usage.CLIENT)) {
            purposes.add(KeyPurposeId.id_kp_clientAuth);
        }
        return purposes.toArray(new KeyPurposeId[0]);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder(KeyAlgorithm.signatureFor(key)).build(key)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("The key cannot sign", e);
        }
    }

    private static BigInteger serial() {
        BigInteger serial = new BigInteger(128, RANDOM);
        return serial.signum() == 0 ? BigInteger.ONE : serial;
    }

    private static X500Name name(String commonName, List<String> organizations) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        organizations.forEach(organization -> name.addRDN(BCStyle.O, organization));
        return name.addRDN(BCStyle.CN, commonName).build();
    }

    /** The authority's certificate. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The SHA-256 fingerprint of the authority's certificate. */
    public String fingerprint() {
        return Fingerprint.of(certificate);
    }

    /** The authority's certificate as PEM, without its key. */
    public String certificatePem() {
        return Pem.write(certificate);
    }

    /** The authority's certificate and key as PEM. */
    public PemPair pem() {
        return new PemPair(certificatePem(), Pem.write(key, certificate.getPublicKey()));
    }

    @Override
    public String toString() {
        return "CertificateAuthority[" + certificate.getSubjectX500Principal() + ", " + fingerprint() + "]";
    }
}
