package dev.slipway.kubernetes;

import static dev.slipway.phase.ErrorClass.ADMISSION;
import static dev.slipway.phase.ErrorClass.AUTH;
import static dev.slipway.phase.ErrorClass.CONTENTION;
import static dev.slipway.phase.ErrorClass.IDENTITY;
import static dev.slipway.phase.ErrorClass.INVALID;
import static dev.slipway.phase.ErrorClass.TRANSIENT;
import static dev.slipway.phase.ErrorClass.TRUST;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ways in which a call of a Kubernetes API fails, each with its class, code and remedy. */
public enum CallError {
    /** Refused, reset, no route, unknown host, or closed in the middle of the TLS handshake. */
    API_UNREACHABLE(TRANSIENT, "ApiUnreachable", "Check that the API server runs and that its address can be reached."),
    /** No answer within the deadline. */
    API_TIMEOUT(TRANSIENT, "ApiTimeout", "Check the network and the load of the API server."),
    /** The thread was interrupted: Slipway stops, or the run of the phase took too long. */
    CALL_INTERRUPTED(CONTENTION, "CallInterrupted", "Nothing: the call is made again."),
    /** {@code /readyz} did not say 200. */
    API_NOT_READY(TRANSIENT, "ApiNotReady", "Look at the failing checks of the API server."),
    /** An answer of 200 that is no Kubernetes object: usually something else listens there. */
    ANSWER_UNREADABLE(TRANSIENT, "AnswerUnreadable", "Check that a Kubernetes API server listens at that address."),
    /** 429: the server asks to slow down. */
    TOO_MANY_REQUESTS(CONTENTION, "TooManyRequests", "Nothing: the call is made again when the server asks for it."),
    /** 409: somebody else changed the object at the same time, again and again. */
    CONFLICT(CONTENTION, "Conflict", "Nothing: the call is made again on the new state."),
    /** 409 of a write that expected no object of that name. */
    ALREADY_EXISTS(CONTENTION, "AlreadyExists", "Nothing: the object is read again."),
    /** 410: the list or watch went on too long. */
    EXPIRED(CONTENTION, "Expired", "Nothing: the call starts again."),
    /** 500, 502, 503, 504. */
    SERVER_ERROR(TRANSIENT, "ServerError", "Look at the log of the API server, or of the load balancer before it."),
    /** A write to a namespace that is being deleted. */
    NAMESPACE_TERMINATING(TRANSIENT, "NamespaceTerminating", "Wait until the namespace is gone, then create it again."),
    /** A write to an object that is not there. */
    OBJECT_ABSENT(TRANSIENT, "ObjectAbsent", "Check whether somebody deleted the object."),
    /** 401: the credentials are not known, expired or revoked. */
    UNAUTHORIZED(
            AUTH, "Unauthorized", "Supply valid credentials: the token or client certificate is unknown or expired."),
    /** 403: the account lacks the right. */
    FORBIDDEN(AUTH, "Forbidden", "Grant the right that the message names."),
    /** The server ended the TLS handshake because of our client certificate. */
    CLIENT_CERTIFICATE_REJECTED(
            AUTH, "ClientCertificateRejected", "Supply a client certificate that the server's client CA has signed."),
    /** No path from the presented certificate to the expected CA. */
    CA_UNKNOWN(
            TRUST,
            "CaUnknown",
            "Compare the fingerprint with the server's own certificate.",
            "If it is the right server, put its CA into the kubeconfig."),
    /** The presented certificate is past its notAfter. */
    CERTIFICATE_EXPIRED(TRUST, "CertificateExpired", "Renew the server's certificate, or correct the clocks."),
    /** The presented certificate is before its notBefore. */
    CERTIFICATE_NOT_YET_VALID(TRUST, "CertificateNotYetValid", "Correct the clocks, or issue the certificate again."),
    /** The presented certificate does not name the host that was called. */
    HOSTNAME_MISMATCH(
            TRUST,
            "HostnameMismatch",
            "Add the host to the certificate's subject alternative names, or use an address that they hold."),
    /** The presented certificate was refused for another reason, for example a weak algorithm. */
    CERTIFICATE_REJECTED(TRUST, "CertificateRejected", "Issue the server's certificate again."),
    /** No common protocol or cipher, or no TLS at all on that port. */
    TLS_FAILED(TRUST, "TlsFailed", "Check that the port serves TLS 1.2 or later."),
    /** An admission webhook or policy said no. */
    ADMISSION_DENIED(ADMISSION, "AdmissionDenied", "Change the object as the message says, or the webhook or policy."),
    /** The API server could not reach an admission webhook. */
    ADMISSION_UNREACHABLE(ADMISSION, "AdmissionUnreachable", "Repair or remove the webhook that the message names."),
    /** The API server could not reach the webhook that converts between versions of a kind. */
    CONVERSION_UNREACHABLE(ADMISSION, "ConversionUnreachable", "Repair the conversion webhook of that kind."),
    /** A resource quota is used up. */
    QUOTA_EXCEEDED(ADMISSION, "QuotaExceeded", "Raise the quota, or free what it counts."),
    /** 400, 422: the server does not accept the object. */
    INVALID_OBJECT(INVALID, "Invalid", "Correct the field that the message names."),
    /** The name could not be part of a URL. */
    NAME_INVALID(INVALID, "NameInvalid", "Use lower-case letters, digits, '-' and '.'."),
    /** The API server does not serve the kind: its CRD or API service is not installed. */
    KIND_ABSENT(INVALID, "KindAbsent", "Install the CRD (or the API service) of that kind."),
    /** A write to a namespace that is not there. */
    NAMESPACE_ABSENT(INVALID, "NamespaceAbsent", "Create the namespace."),
    /** 405, 406, 413, 415, a redirect: the server does not do this. */
    NOT_SUPPORTED(INVALID, "NotSupported", "Check the version of the API server and what stands in front of it."),
    /** The object of that name has another UID than expected. */
    UID_CHANGED(IDENTITY, "UidChanged", "Find out who deleted and re-created the object."),
    /** A kubeconfig that cannot or must not be used. */
    KUBECONFIG_INVALID(INVALID, "KubeconfigInvalid", "Correct the kubeconfig in the secret.");

    private final ErrorClass errorClass;
    private final String code;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, its type does not say so.
    private final List<String> actions;

    CallError(ErrorClass errorClass, String code, String... actions) {
        this.errorClass = errorClass;
        this.code = code;
        this.actions = List.of(actions);
    }

    /** What the kernel does about it. */
    public ErrorClass errorClass() {
        return errorClass;
    }

    /** The UpperCamel reason, as {@link Failure#code()} gives it. */
    public String code() {
        return code;
    }

    /** Whether that failure is of this kind. */
    public boolean is(Failure failure) {
        return code.equals(failure.code());
    }

    Failure failure(String message) {
        return failure(message, null, null);
    }

    Failure failure(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new Failure(errorClass, code, message, actions, retryAfter, cause);
    }
}
