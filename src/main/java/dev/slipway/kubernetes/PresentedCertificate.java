package dev.slipway.kubernetes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificate that a server presented, for people who must decide whether to trust it.
 *
 * @param certificate the server's own certificate, the first of the chain
 */
record PresentedCertificate(X509Certificate certificate) {

    private static final int HTTPS = 443;

    /**
     * Opens a TLS connection, notes the certificate, and refuses it: nothing is sent to a server that nobody trusts.
     *
     * @param timeout for connecting and for each read
     * @return empty if the server does not get as far as presenting one
     */
    static Optional<PresentedCertificate> probe(URI server, Duration timeout) {
        return chain(server, timeout).stream().findFirst().map(PresentedCertificate::new);
    }

    /** The same, with all that the server presents, its own certificate first; empty if it presents none. */
    static List<X509Certificate> chain(URI server, Duration timeout) {
        Recorder recorder = new Recorder();
        String host = server.getHost().replace("[", "").replace("]", "");
        int port = server.getPort() < 0 ? HTTPS : server.getPort();
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket plain = new Socket()) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {recorder}, null);
            plain.connect(new InetSocketAddress(host, port), millis);
            plain.setSoTimeout(millis);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.startHandshake();
            }
        } catch (IOException | GeneralSecurityException e) {
            // Expected: the recorder refuses each certificate. Without a record there is nothing to show.
            return recorder.presented();
        }
        return recorder.presented();
    }

    /** Subject, issuer, names, end of validity and SHA-256 fingerprint. */
    String describe() {
        return "subject " + certificate.getSubjectX500Principal().getName()
                + ", issuer " + certificate.getIssuerX500Principal().getName()
                + ", SANs " + names()
                + ", notAfter " + certificate.getNotAfter().toInstant()
                + ", SHA-256 " + fingerprint();
    }

    private List<String> names() {
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            List<String> names = new ArrayList<>();
            if (alternatives != null) {
                alternatives.forEach(name -> names.add(String.valueOf(name.get(1))));
            }
            return names;
        } catch (CertificateException e) {
            return List.of("unreadable");
        }
    }

    private String fingerprint() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(hash);
        } catch (GeneralSecurityException e) {
            return "unreadable";
        }
    }

    /** Notes the presented chain and trusts nothing. */
    private static final class Recorder extends X509ExtendedTrustManager {

        private final List<X509Certificate> chain = new CopyOnWriteArrayList<>();

        List<X509Certificate> presented() {
            return List.copyOf(chain);
        }

        private void note(X509Certificate[] presented) throws CertificateException {
            chain.addAll(List.of(presented));
            throw new CertificateException("Only looking");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            note(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            note(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            note(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("No server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("No server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("No server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
