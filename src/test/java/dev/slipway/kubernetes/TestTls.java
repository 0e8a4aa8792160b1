package dev.slipway.kubernetes;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificates good and bad, and small servers that use them. */
public final class TestTls {

    private static final char[] PASSWORD = "test".toCharArray();

    private TestTls() {}

    /** A certificate with its key. */
    public record Identity(X509Certificate certificate, PrivateKey key) {

        public String pem() {
            return TestTls.pem(certificate);
        }

        String keyPem() {
            return TestTls.pem(key);
        }

        String fingerprint() throws Exception {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(hash);
        }
    }

    public static Identity authority(String name) throws Exception {
        KeyPair keys = keys("EC", 256);
        return issue(
                name,
                keys,
                null,
                Duration.ofDays(1),
                builder -> builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true)));
    }

    /** A certificate for a loopback address or host name, valid (or expired) by that time from now. */
    public static Identity serving(Identity authority, String host, Duration validFor) throws Exception {
        int kind = host.matches("[0-9.]+") ? GeneralName.iPAddress : GeneralName.dNSName;
        return issue(
                "server " + host,
                keys("EC", 256),
                authority,
                validFor,
                builder -> builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(kind, host))));
    }

    static Identity client(Identity authority, String name, String algorithm, int size) throws Exception {
        return issue(name, keys(algorithm, size), authority, Duration.ofDays(1), builder -> {});
    }

    /** Serves HTTPS on loopback; with a client authority, only to whom that has signed. */
    public static HttpsServer https(Identity identity, Identity clientAuthority, HttpHandler handler) throws Exception {
        return https(identity, clientAuthority, handler, 0);
    }

    /** The same on that port; 0 for a free one. */
    public static HttpsServer https(Identity identity, Identity clientAuthority, HttpHandler handler, int port)
            throws Exception {
        SSLContext context = context(identity, clientAuthority);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(loopback().getAddress(), port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(clientAuthority != null);
                parameters.setSSLParameters(ssl);
            }
        });
        return start(server, handler);
    }

    /** Serves HTTP on loopback. */
    static HttpServer http(HttpHandler handler) throws Exception {
        return start(HttpServer.create(loopback(), 0), handler);
    }

    /** Answers all requests so. */
    static HttpHandler answering(int code, String body, String... headers) {
        return exchange -> {
            exchange.getRequestBody().readAllBytes();
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return text.toString();
    }

    private static <S extends HttpServer> S start(S server, HttpHandler handler) {
        server.createContext("/", handler);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "test-server");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        return server;
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static SSLContext context(Identity identity, Identity clientAuthority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", identity.key(), PASSWORD, new X509Certificate[] {identity.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        TrustManagerFactory trust = null;
        if (clientAuthority != null) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("clients", clientAuthority.certificate());
            trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust == null ? null : trust.getTrustManagers(), null);
        return context;
    }

    private static KeyPair keys(String algorithm, int size) throws Exception {
        // Not the JDK's own: it leaves the curve out of EC keys when they are written as such.
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, new BouncyCastleProvider());
        generator.initialize(size);
        return generator.generateKeyPair();
    }

    private static Identity issue(String name, KeyPair keys, Identity issuer, Duration validFor, Extensions extensions)
            throws Exception {
        X500Name subject = new X500Name("CN=" + name);
        X500Name signer = issuer == null
                ? subject
                : X500Name.getInstance(
                        issuer.certificate().getSubjectX500Principal().getEncoded());
        PrivateKey signing = issuer == null ? keys.getPrivate() : issuer.key();
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                signer,
                new BigInteger(64, new java.security.SecureRandom()),
                Date.from(now.minus(Duration.ofDays(30))),
                Date.from(now.plus(validFor)),
                subject,
                keys.getPublic());
        extensions.addTo(builder);
        var certificate = new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signing)));
        return new Identity(certificate, keys.getPrivate());
    }

    /** Puts extensions into a certificate. */
    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws Exception;
    }
}
