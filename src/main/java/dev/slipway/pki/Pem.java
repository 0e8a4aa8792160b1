package dev.slipway.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemHeader;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Reads and writes PEM in the forms that Go, and so Kubernetes, reads.
 *
 * <p>Private keys are read as PKCS#1, SEC 1 and PKCS#8. Only the first block counts: Cluster API looks at no other.
 */
final class Pem {

    private static final String RSA_KEY = "RSA PRIVATE KEY";
    private static final String EC_KEY = "EC PRIVATE KEY";

    private Pem() {}

    static List<X509Certificate> certificates(String pem) throws PemException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemObject block : blocks(pem, ProblemCode.CERTIFICATE_UNREADABLE)) {
            if (!"CERTIFICATE".equals(block.getType())) {
                throw new PemException(
                        ProblemCode.CERTIFICATE_UNREADABLE,
                        "it holds a \"" + block.getType() + "\" block; only certificates belong there");
            }
            certificates.add(certificate(block.getContent(), certificates.size() + 1));
        }
        return certificates;
    }

    private static X509Certificate certificate(byte[] der, int position) throws PemException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new PemException(
                    ProblemCode.CERTIFICATE_UNREADABLE, "block " + position + " is not an X.509 certificate");
        }
    }

    static PrivateKey privateKey(String pem) throws PemException {
        PemObject block = blocks(pem, ProblemCode.KEY_UNREADABLE).get(0);
        if (encrypted(block)) {
            throw new PemException(ProblemCode.KEY_ENCRYPTED, "the private key is protected by a passphrase");
        }
        try {
            return privateKey(privateKeyInfo(block));
        } catch (IllegalArgumentException | IOException e) {
            throw new PemException(ProblemCode.KEY_UNREADABLE, "its \"" + block.getType() + "\" block is damaged");
        }
    }

    private static boolean encrypted(PemObject block) {
        for (Object header : block.getHeaders()) {
            if (header instanceof PemHeader named && named.getValue().contains("ENCRYPTED")) {
                return true;
            }
        }
        return "ENCRYPTED PRIVATE KEY".equals(block.getType());
    }

    private static PrivateKeyInfo privateKeyInfo(PemObject block) throws PemException, IOException {
        return switch (block.getType()) {
            case RSA_KEY ->
                new PrivateKeyInfo(
                        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption),
                        org.bouncycastle.asn1.pkcs.RSAPrivateKey.getInstance(block.getContent()));
            case EC_KEY -> {
                ECPrivateKey key = ECPrivateKey.getInstance(block.getContent());
                yield new PrivateKeyInfo(
                        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()), key);
            }
            case "PRIVATE KEY" -> PrivateKeyInfo.getInstance(block.getContent());
            default ->
                throw new PemException(
                        ProblemCode.KEY_UNREADABLE,
                        "it starts with a \"" + block.getType() + "\" block instead of a private key");
        };
    }

    private static PrivateKey privateKey(PrivateKeyInfo info) throws PemException, IOException {
        String algorithm = keyAlgorithm(info.getPrivateKeyAlgorithm().getAlgorithm(), ProblemCode.KEY_UNSUPPORTED);
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new PemException(
                    ProblemCode.KEY_UNREADABLE, "its " + algorithm + " key is damaged or of an unknown curve");
        }
    }

    static PublicKey publicKey(String pem) throws PemException {
        PemObject block = blocks(pem, ProblemCode.PUBLIC_KEY_UNREADABLE).get(0);
        if (!"PUBLIC KEY".equals(block.getType())) {
            throw new PemException(
                    ProblemCode.PUBLIC_KEY_UNREADABLE,
                    "it starts with a \"" + block.getType() + "\" block instead of a \"PUBLIC KEY\" block");
        }
        try {
            ASN1ObjectIdentifier oid = SubjectPublicKeyInfo.getInstance(block.getContent())
                    .getAlgorithm()
                    .getAlgorithm();
            return KeyFactory.getInstance(keyAlgorithm(oid, ProblemCode.KEY_UNSUPPORTED))
                    .generatePublic(new X509EncodedKeySpec(block.getContent()));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new PemException(ProblemCode.PUBLIC_KEY_UNREADABLE, "its \"PUBLIC KEY\" block is damaged");
        }
    }

    private static String keyAlgorithm(ASN1ObjectIdentifier oid, ProblemCode code) throws PemException {
        if (PKCSObjectIdentifiers.rsaEncryption.equals(oid)) {
            return "RSA";
        }
        if (X9ObjectIdentifiers.id_ecPublicKey.equals(oid)) {
            return "EC";
        }
        throw new PemException(code, "its key is neither RSA nor ECDSA (algorithm " + oid + ")");
    }

    private static List<PemObject> blocks(String pem, ProblemCode code) throws PemException {
        List<PemObject> blocks = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(pem))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                blocks.add(block);
            }
        } catch (IOException | RuntimeException e) {
            throw new PemException(code, "PEM block " + (blocks.size() + 1) + " is cut off or not base64");
        }
        if (blocks.isEmpty()) {
            throw new PemException(code, "it holds no PEM block (no \"-----BEGIN ...-----\" line)");
        }
        return blocks;
    }

    static String write(X509Certificate certificate) {
        try {
            return write("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A parsed certificate could not be encoded", e);
        }
    }

    static String write(PublicKey key) {
        return write("PUBLIC KEY", key.getEncoded());
    }

    /** Writes PKCS#1 or SEC 1, as Cluster API does; an EC key names its curve, Go cannot read it otherwise. */
    static String write(PrivateKey key, PublicKey publicKey) {
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
        try {
            if (key instanceof java.security.interfaces.ECPrivateKey ec) {
                ECPrivateKey sec1 = new ECPrivateKey(
                        ec.getParams().getOrder().bitLength(),
                        ec.getS(),
                        SubjectPublicKeyInfo.getInstance(publicKey.getEncoded()).getPublicKeyData(),
                        info.getPrivateKeyAlgorithm().getParameters());
                return write(EC_KEY, sec1.getEncoded());
            }
            return write(RSA_KEY, info.parsePrivateKey().toASN1Primitive().getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException("A private key could not be encoded", e);
        }
    }

    private static String write(String type, byte[] der) {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, der));
        } catch (IOException e) {
            throw new UncheckedIOException("PEM could not be written to memory", e);
        }
        return text.toString().replace("\r\n", "\n");
    }
}
