package dev.slipway.imports;

import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Proves that a kubeconfig leads into the workload cluster, by calls that need its CA and its credentials.
 *
 * <p>A certificate that a person accepts is trusted only if the server presents it; nothing is sent to it before.
 */
@Component
public class AccessProof {

    private static final String SYSTEM = "kube-system";
    private static final String CA_UNKNOWN = "CaUnknown";
    private static final String KUBECONFIG_INVALID = "KubeconfigInvalid";
    private static final String SUPPLY = "Decide SUPPLY_CREDENTIALS with the name of a secret that holds another"
            + " kubeconfig, with a token or a client certificate in it";

    private final ImportAccess access;

    public AccessProof(ImportAccess access) {
        this.access = access;
    }

    /**
     * A way in that works.
     *
     * @param workload the API, opened that way
     * @param authority PEM of what is trusted in place of the kubeconfig's CA; empty for the kubeconfig's
     * @param version what the server runs
     */
    public record Proven(Workload workload, String authority, String version) {}

    /**
     * Proves it.
     *
     * @param target which cluster
     * @param secret the name of the secret with the kubeconfig
     * @param authority PEM of what is trusted in place of the kubeconfig's CA; empty for the kubeconfig's
     * @param accepted the fingerprint that a person accepted; used if the server is not trusted otherwise
     * @return empty if there is no such secret
     * @throws Failure TRUST {@code CredentialExpired}, {@code CaExpired}, {@code CaMismatch},
     *     {@code FingerprintNotPresented}; INVALID {@code KubeconfigInvalid}; else by the answer's class
     */
    public Optional<Proven> prove(
            ImportTarget target, String secret, String authority, Optional<String> accepted, Instant now) {
        Optional<Workload> opened = open(target, secret, authority);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        Workload workload = opened.get();
        requireAlive(target, secret, workload, now);
        Optional<Failure> distrust = expiredAuthority(workload, now);
        if (distrust.isEmpty()) {
            try {
                return Optional.of(new Proven(workload, authority, call(workload)));
            } catch (Failure e) {
                if (!e.code().equals(CA_UNKNOWN)) {
                    throw e.errorClass() == ErrorClass.AUTH ? askingForOthers(e) : e;
                }
                distrust = Optional.of(mismatch(workload, e));
            }
        }
        if (accepted.isEmpty()) {
            throw distrust.get();
        }
        return Optional.of(accept(target, secret, workload, accepted.get(), now));
    }

    private Optional<Workload> open(ImportTarget target, String secret, String authority) {
        try {
            return access.open(target, secret, authority);
        } catch (Failure e) {
            throw e.code().equals(KUBECONFIG_INVALID) ? askingForOthers(e) : e;
        }
    }

    /** The same, with the decision that helps. */
    private static Failure askingForOthers(Failure failure) {
        List<String> actions = new ArrayList<>(failure.actions());
        actions.add(SUPPLY);
        return new Failure(failure.errorClass(), failure.code(), failure.message(), actions, null, failure);
    }

    private static void requireAlive(ImportTarget target, String secret, Workload workload, Instant now) {
        Optional<Instant> expired = workload.expires().filter(end -> !end.isAfter(now));
        if (expired.isPresent()) {
            throw new Failure(
                    ErrorClass.TRUST,
                    "CredentialExpired",
                    "The client certificate in the secret " + target.namespace() + "/" + secret + " expired at "
                            + expired.get(),
                    List.of("Renew the kubeconfig in that secret: the import goes on by itself", SUPPLY),
                    null,
                    null);
        }
    }

    /** The client library does not look at the dates of what it trusts. */
    private static Optional<Failure> expiredAuthority(Workload workload, Instant now) {
        List<X509Certificate> trusted = CertificateText.read(workload.authority());
        boolean alive = trusted.isEmpty()
                || trusted.stream()
                        .anyMatch(certificate ->
                                certificate.getNotAfter().toInstant().isAfter(now));
        return alive
                ? Optional.empty()
                : Optional.of(new Failure(
                        ErrorClass.TRUST,
                        "CaExpired",
                        "The CA with which " + workload.server() + " is verified has expired: "
                                + CertificateText.describe(trusted),
                        List.of(
                                "Renew the CA of the workload cluster, and put it into the kubeconfig",
                                "If the server has a new one already: decide ACCEPT_CA with its fingerprint"),
                        null,
                        null));
    }

    /** Asks what only a known caller may ask: whoever the server does not know may still read its version. */
    private static String call(Workload workload) {
        String version = workload.version();
        if (workload.reader().get(ResourceType.NAMESPACES, "", SYSTEM).isEmpty()) {
            throw Failure.of(
                    ErrorClass.TRANSIENT,
                    "IdentityUnreadable",
                    workload.server() + " has no namespace " + SYSTEM + ": no whole Kubernetes answers there");
        }
        return version;
    }

    private static Failure mismatch(Workload workload, Failure cause) {
        return new Failure(
                ErrorClass.TRUST,
                "CaMismatch",
                cause.message() + " Expected is the CA "
                        + CertificateText.describe(CertificateText.read(workload.authority()))
                        + ". Presented is " + CertificateText.describe(workload.presented()) + ".",
                List.of(
                        "Ask the owner of the workload cluster, over another way, for the fingerprint of its certificate",
                        "If it is one of those presented: decide ACCEPT_CA with it",
                        "Or put the new CA into the kubeconfig"),
                null,
                cause);
    }

    private Proven accept(ImportTarget target, String secret, Workload distrusted, String fingerprint, Instant now) {
        List<X509Certificate> presented = distrusted.presented();
        X509Certificate chosen = presented.stream()
                .filter(certificate -> CertificateText.hasFingerprint(certificate, fingerprint))
                .filter(certificate -> certificate.getNotAfter().toInstant().isAfter(now))
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ErrorClass.TRUST,
                        "FingerprintNotPresented",
                        "The fingerprint that was accepted, " + fingerprint.strip()
                                + ", is of no valid certificate that " + distrusted.server() + " presents; it presents "
                                + CertificateText.describe(presented),
                        List.of("Find out which server answers there; then decide ACCEPT_CA with one of these"),
                        null,
                        null));
        Proven pinned = proven(target, secret, CertificateText.pem(chosen));
        return authorityOf(pinned.workload().reader(), presented.get(0), now)
                .map(authority -> proven(target, secret, CertificateText.pem(authority)))
                .orElse(pinned);
    }

    private Proven proven(ImportTarget target, String secret, String authority) {
        Workload workload = access.open(target, secret, authority)
                .orElseThrow(() -> Failure.of(
                        ErrorClass.TRANSIENT,
                        "SecretGone",
                        "The secret " + target.namespace() + "/" + secret + " was deleted just now"));
        return new Proven(workload, authority, call(workload));
    }

    /**
     * The authority that signed the server's own certificate, in the words of the server that a person accepted: it
     * outlives that certificate.
     */
    private static Optional<X509Certificate> authorityOf(LiveReader reader, X509Certificate own, Instant now) {
        try {
            return reader
                    .get(ResourceType.CONFIG_MAPS, SYSTEM, "kube-root-ca.crt")
                    .flatMap(map -> map.text("data", "ca.crt"))
                    .map(CertificateText::read)
                    .orElse(List.of())
                    .stream()
                    .filter(authority -> CertificateText.signed(authority, own))
                    .filter(authority -> authority.getNotAfter().toInstant().isAfter(now))
                    .findFirst();
        } catch (Failure e) {
            // Who may not read it stays with the certificate that was accepted.
            if (e.errorClass() == ErrorClass.AUTH) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
