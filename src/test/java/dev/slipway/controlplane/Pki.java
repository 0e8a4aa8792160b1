package dev.slipway.controlplane;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificates for control planes of tests: written apart from the product's own, so that it proves them. */
public final class Pki {

    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final SecureRandom RANDOM = new SecureRandom();

    private Pki() {}

    /**
     * A certificate, or a bare public key, with its private key.
     *
     * @param certificate PEM of the certificate or public key
     * @param key PEM of the private key
     */
    public record Pem(String certificate, String key) {}

    /** A certificate authority. */
    public static Pem authority(String commonName) {
        return authority(commonName, Instant.now().plus(VALIDITY));
    }

    /** A certificate authority that holds until then; one of the past has expired. */
    public static Pem authority(String commonName, Instant until) {
        KeyPair keys = ecKeys();
        return issue(keys, new X500Name("CN=" + commonName), null, until, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
        });
    }

    /** A serving certificate for loopback. */
    public static Pem serving(Pem authority) {
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.dNSName, "kubernetes.default.svc")
        });
        return issue(ecKeys(), new X500Name("CN=kube-apiserver"), authority, builder -> {
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            builder.addExtension(Extension.subjectAlternativeName, false, names);
        });
    }

    /** A client certificate for that user and, unless empty, that group. */
    public static Pem client(Pem authority, String user, String group) {
        return client(authority, user, group, Instant.now().plus(VALIDITY));
    }

    /** A client certificate that holds until then; one of the past has expired. */
    public static Pem client(Pem authority, String user, String group, Instant until) {
        String subject = group.isEmpty() ? "CN=" + user : "O=" + group + ",CN=" + user;
        return issue(ecKeys(), new X500Name(subject), authority, until, builder -> {
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
        });
    }

    /** A bare key pair, as ServiceAccount tokens are signed with. */
    public static Pem keyPair() {
        KeyPair keys = ecKeys();
        return new Pem(pem(keys.getPublic()), pem(keys.getPrivate()));
    }

    private static Pem issue(KeyPair keys, X500Name subject, Pem issuer, Extensions extensions) {
        return issue(keys, subject, issuer, Instant.now().plus(VALIDITY), extensions);
    }

    private static Pem issue(KeyPair keys, X500Name subject, Pem issuer, Instant until, Extensions extensions) {
        try {
            X509Certificate issuerCertificate = issuer == null ? null : certificateOf(issuer.certificate());
            PrivateKey signingKey = issuer == null ? keys.getPrivate() : privateKeyOf(issuer.key());
            JcaX509ExtensionUtils utils = new JcaX509ExtensionUtils();
            Date from = Date.from(until.minus(VALIDITY).minus(Duration.ofMinutes(5)));
            Date to = Date.from(until);
            BigInteger serial = new BigInteger(126, RANDOM).setBit(0);
            X509v3CertificateBuilder builder = issuerCertificate == null
                    ? new JcaX509v3CertificateBuilder(subject, serial, from, to, subject, keys.getPublic())
                    : new JcaX509v3CertificateBuilder(issuerCertificate, serial, from, to, subject, keys.getPublic());
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, utils.createSubjectKeyIdentifier(keys.getPublic()));
            if (issuerCertificate != null) {
                builder.addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        utils.createAuthorityKeyIdentifier(issuerCertificate.getPublicKey()));
            }
            extensions.addTo(builder);
            String algorithm = "RSA".equals(signingKey.getAlgorithm()) ? "SHA256withRSA" : "SHA256withECDSA";
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(signingKey)));
            return new Pem(pem(certificate), pem(keys.getPrivate()));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("Cannot issue a certificate for " + subject, e);
        }
    }

    private static KeyPair ecKeys() {
        try {
            // Not the JDK's own: it leaves the curve out of the key's inner structure, where Go looks for it.
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", new BouncyCastleProvider());
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Certificate certificateOf(String pem) throws IOException, GeneralSecurityException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            Object first = parser.readObject();
            if (first instanceof X509CertificateHolder holder) {
                return new JcaX509CertificateConverter().getCertificate(holder);
            }
            throw new IOException("No certificate in the PEM text");
        }
    }

    private static PrivateKey privateKeyOf(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            Object first = parser.readObject();
            // "openssl ecparam -genkey" writes the curve in a block of its own before the key.
            for (Object next = first; next != null; next = parser.readObject()) {
                if (next instanceof PEMKeyPair pair) {
                    return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (next instanceof PrivateKeyInfo info) {
                    return new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
            throw new IOException("No private key in the PEM text");
        }
    }

    private static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Puts extensions into a certificate. */
    @FunctionalInterface
    private interface Extensions {
        void addTo(X509v3CertificateBuilder builder) throws IOException;
    }

    /** All that one control plane needs. */
    record Set(Pem authority, Pem serving, Pem admin, Pem serviceAccounts) {

        static Set of(Pem authority, Pem serviceAccounts) {
            return new Set(
                    authority, Pki.serving(authority), client(authority, "admin", "system:masters"), serviceAccounts);
        }
    }
}
