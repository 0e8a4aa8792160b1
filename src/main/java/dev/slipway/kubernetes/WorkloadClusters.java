package dev.slipway.kubernetes;

import dev.slipway.phase.Failure;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Gives access to the API of a workload cluster; clients are cached by identity, TLS is always verified. */
public interface WorkloadClusters {

    /**
     * Opens the workload cluster of a kubeconfig secret. Makes no call.
     *
     * <p>Cached by cluster UID, the secret's resourceVersion and the hash of its CA: a replaced secret gives a new
     * client.
     *
     * @param clusterUid the cluster's UID
     * @param kubeconfigSecret the secret {@code <cluster>-kubeconfig} with the key {@code value}, as just read live
     * @throws Failure INVALID {@code KubeconfigInvalid} if it does not parse or asks to skip TLS verification
     */
    default Workload open(String clusterUid, KubeObject kubeconfigSecret) {
        return open(clusterUid, kubeconfigSecret, "");
    }

    /**
     * Opens it with other CAs than the kubeconfig's. Makes no call.
     *
     * @param clusterUid the cluster's UID
     * @param kubeconfigSecret the secret with the key {@code value}, as just read live
     * @param authority PEM of the certificates that are trusted in place of the kubeconfig's; empty for the kubeconfig's
     * @throws Failure as {@link #open(String, KubeObject)}
     */
    Workload open(String clusterUid, KubeObject kubeconfigSecret, String authority);

    /** A workload cluster's API. */
    interface Workload {

        /** The server's URL. */
        String server();

        /** PEM of the CA certificates that the server is verified with. */
        String authority();

        /** How tools reach it as the same caller: a kubeconfig with nothing but server, CA and credentials. */
        Kubeconfig kubeconfig();

        /** When the caller's client certificate expires; empty if it is a token or unreadable: unknown, no error. */
        Optional<Instant> expires();

        /**
         * The certificates that the server presents to anybody, its own first. None of them is trusted for that, and
         * nothing but a handshake is sent.
         *
         * @return empty if it does not get as far as presenting one
         */
        List<X509Certificate> presented();

        /** Reads, live. */
        LiveReader reader();

        /** Writes. */
        KubeWriter writer();

        /**
         * Asks {@code /readyz}.
         *
         * @throws Failure by class: TRANSIENT {@code ApiUnreachable} or {@code ApiNotReady}, TRUST with subject, SANs,
         *     notAfter and fingerprint, AUTH
         */
        void ready();

        /** Asks {@code /version} and gives its {@code gitVersion}. */
        String version();

        /**
         * Asks the server who brings that token and what it refuses them, with nothing but the token.
         *
         * @param needed what is asked for; each is a call
         * @return empty if the server does not know the token (401)
         */
        Optional<Bearer> review(Token token, List<Access> needed);

        /**
         * The same for a caller who has a CA of their own: trusts no other.
         *
         * @param authority PEM of the CA certificates
         * @throws Failure TRUST if the server's certificate is not of that CA; INVALID if it is no PEM of certificates
         */
        Optional<Bearer> review(Token token, String authority, List<Access> needed);

        /**
         * Lets the server issue a token of a ServiceAccount, which ends with a secret.
         *
         * @param account the name of the ServiceAccount, in the secret's namespace
         * @param life how long it shall hold; the server may shorten it
         * @param boundTo the secret as stored; when it is deleted, the token is void
         */
        IssuedToken requestToken(String account, Duration life, KubeObject boundTo);
    }

    /**
     * A bearer token; no text of it but {@link #value()} shows it.
     *
     * @param value the token itself, a secret
     */
    record Token(String value) {

        /** That text as a token; empty if it is none, or nothing that can be sent as one. */
        public static Optional<Token> of(String text) {
            boolean fits = !text.isEmpty() && text.chars().allMatch(character -> character > ' ' && character < 0x7f);
            return fits ? Optional.of(new Token(text)) : Optional.empty();
        }

        @Override
        public String toString() {
            return "Token (hidden)";
        }
    }

    /**
     * A kubeconfig for tools; no text of it but {@link #value()} shows it.
     *
     * @param value the whole text, a secret
     */
    record Kubeconfig(String value) {

        @Override
        public String toString() {
            return "Kubeconfig (hidden)";
        }
    }

    /**
     * A token that the server has just issued.
     *
     * @param token the token
     * @param expires when the server ceases to accept it
     */
    record IssuedToken(Token token, Instant expires) {}

    /**
     * Something that a caller may be allowed to do, everywhere in the cluster.
     *
     * @param verb for example {@code list}; {@code *} for all
     * @param group the API group; empty for the core group, {@code *} for all
     * @param resource the plural, {@code *} for all
     */
    record Access(String verb, String group, String resource) {

        /** For example "create deployments.apps". */
        public String display() {
            return verb + " " + (group.isEmpty() ? resource : resource + "." + group);
        }
    }

    /**
     * Whom the server sees behind a token.
     *
     * @param user the user name, for example {@code system:serviceaccount:team:robot}
     * @param denied what was asked for and is not allowed
     */
    record Bearer(String user, List<Access> denied) {

        public Bearer {
            denied = List.copyOf(denied);
        }
    }
}
