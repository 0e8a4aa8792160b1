package dev.slipway.sentry;

import dev.slipway.kubernetes.WorkloadClusters.Access;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The account through which the platform works in an imported cluster; the import makes it.
 *
 * @param namespace the namespace in the workload cluster; created if it is absent
 * @param serviceAccount the name of the ServiceAccount
 * @param clusterRole the ClusterRole that it is bound to, which must exist; empty: Slipway makes one of just `rights`
 * @param rights what it must be able to do, each as `<verb> <resource>` or `<verb> <resource>.<group>`
 * @param token `secret`: a token Secret that the cluster's kube-controller-manager fills, without expiry; `request`: a
 *     token with an expiry, renewed when a fifth of its life is left
 * @param tokenSecret the name of the Secret with the token
 * @param tokenLife with `request`, how long a token shall hold; the API server may shorten it
 */
@Validated
@ConfigurationProperties("slipway.sentry")
public record SentrySettings(
        @DefaultValue("cpaas-system") @NotBlank String namespace,
        @DefaultValue("sentry") @NotBlank String serviceAccount,
        @DefaultValue("cluster-admin") @NotNull String clusterRole,
        @DefaultValue("* *.*") @NotEmpty List<String> rights,
        @DefaultValue("secret") @NotNull TokenKind token,
        @DefaultValue("sentry-token") @NotBlank String tokenSecret,
        @DefaultValue("8760h") @NotNull @DurationMin(seconds = 600) Duration tokenLife) {

    /** Where tokens come from. */
    public enum TokenKind {
        /** A Secret that the token controller fills. */
        SECRET,
        /** The API server's TokenRequest. */
        REQUEST
    }

    public SentrySettings {
        rights = List.copyOf(rights);
        // Here, so that a misspelt right ends the start.
        rights.forEach(SentrySettings::access);
    }

    /** The user name that API servers see. */
    String user() {
        return "system:serviceaccount:" + namespace + ":" + serviceAccount;
    }

    /** How messages name the account. */
    String display() {
        return "ServiceAccount " + namespace + "/" + serviceAccount;
    }

    /** Whether Slipway makes the ClusterRole. */
    boolean makesRole() {
        return clusterRole.isEmpty();
    }

    /** The ClusterRole that the account is bound to. */
    String roleName() {
        return makesRole() ? bindingName() : clusterRole;
    }

    /** The ClusterRoleBinding; objects of the whole cluster carry the namespace in their name. */
    String bindingName() {
        return "slipway:" + namespace + ":" + serviceAccount;
    }

    /** What the account must be able to do. */
    public List<Access> needed() {
        return rights.stream().map(SentrySettings::access).toList();
    }

    private static Access access(String right) {
        String[] parts = right.strip().split("\\s+", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException(
                    "slipway.sentry.rights: '" + right + "' is not <verb> <resource>.<group>");
        }
        int dot = parts[1].indexOf('.');
        return dot < 0
                ? new Access(parts[0], "", parts[1])
                : new Access(parts[0], parts[1].substring(dot + 1), parts[1].substring(0, dot));
    }
}
