package dev.slipway.kubernetes;

import dev.slipway.phase.Failure;
import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Tells why a TLS handshake failed, and which certificate the server presented. */
final class TlsFailures {

    /** Alerts with which a server refuses the certificate that we present. */
    private static final List<String> CLIENT_CERTIFICATE_ALERTS = List.of(
            "bad_certificate",
            "unsupported_certificate",
            "certificate_revoked",
            "certificate_expired",
            "certificate_unknown",
            "certificate_required",
            "unknown_ca",
            "access_denied",
            "decrypt_error");

    private final Duration probeTimeout;

    /**
     * Makes a diagnosis of TLS failures.
     *
     * @param probeTimeout how long connecting and the handshake of a probe may take, each
     */
    TlsFailures(Duration probeTimeout) {
        this.probeTimeout = probeTimeout;
    }

    Failure classify(String call, URI server, SSLException e) {
        CallError error = error(e);
        String why = error.errorClass() == dev.slipway.phase.ErrorClass.TRUST && error != CallError.TLS_FAILED
                ? explain(error, server) + presented(server)
                : "TLS with " + server + " failed (" + text(e) + ").";
        return error.failure(call + why, null, e);
    }

    private static CallError error(SSLException e) {
        if (e instanceof SSLPeerUnverifiedException) {
            return CallError.HOSTNAME_MISMATCH;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return CallError.CERTIFICATE_EXPIRED;
            }
            if (cause instanceof CertificateNotYetValidException) {
                return CallError.CERTIFICATE_NOT_YET_VALID;
            }
        }
        if (has(e, CertPathBuilderException.class)) {
            return CallError.CA_UNKNOWN;
        }
        if (has(e, CertPathValidatorException.class)) {
            return chainBroken(e) ? CallError.CA_UNKNOWN : CallError.CERTIFICATE_REJECTED;
        }
        if (has(e, CertificateException.class)) {
            return CallError.CERTIFICATE_REJECTED;
        }
        return handshake(e);
    }

    private static CallError handshake(SSLException e) {
        String text = text(e);
        if (CLIENT_CERTIFICATE_ALERTS.stream().anyMatch(alert -> text.contains("alert: " + alert))) {
            return CallError.CLIENT_CERTIFICATE_REJECTED;
        }
        if (has(e, EOFException.class) || has(e, SocketException.class)) {
            // A load balancer without a living server behind it: nothing is wrong with the certificates.
            return CallError.API_UNREACHABLE;
        }
        if (has(e, SocketTimeoutException.class)) {
            return CallError.API_TIMEOUT;
        }
        return text.contains("alert: internal_error") ? CallError.API_UNREACHABLE : CallError.TLS_FAILED;
    }

    /** Whether a chain ends at no CA of ours, rather than holding a certificate that is itself bad. */
    private static boolean chainBroken(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathValidatorException path) {
                String text = text(path);
                return text.contains("trust anchor") || text.contains("signature check failed");
            }
        }
        return false;
    }

    private static String explain(CallError error, URI server) {
        return switch (error) {
            case CA_UNKNOWN -> "the certificate of " + server + " is not signed by the expected CA";
            case CERTIFICATE_EXPIRED -> "the certificate of " + server + " has expired";
            case CERTIFICATE_NOT_YET_VALID -> "the certificate of " + server + " is not valid yet";
            case HOSTNAME_MISMATCH -> "the certificate of " + server + " does not name the host " + server.getHost();
            default -> "the certificate of " + server + " is not acceptable";
        };
    }

    private String presented(URI server) {
        Optional<PresentedCertificate> certificate = PresentedCertificate.probe(server, probeTimeout);
        return certificate.map(c -> ": " + c.describe() + ".").orElse(".");
    }

    private static boolean has(Throwable e, Class<? extends Throwable> type) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String text(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
