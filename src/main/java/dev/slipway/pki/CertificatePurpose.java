package dev.slipway.pki;

import java.util.List;

/** What a cluster's key material is for, and so the name of its secret. */
public enum CertificatePurpose {
    /** Signs the API server's, the kubelets' and the administrators' certificates. */
    CA("ca", "kubernetes"),
    /** Signs the certificates of etcd and of its clients. */
    ETCD("etcd", "etcd-ca"),
    /** Signs the front proxy's client certificate. */
    PROXY("proxy", "front-proxy-ca"),
    /** Signs ServiceAccount tokens: a bare key pair, {@code tls.crt} is the public key. */
    SA("sa", ""),
    /** The API server's client certificate for an external etcd: always the user's. */
    APISERVER_ETCD_CLIENT("apiserver-etcd-client", "");

    /** The four that every cluster needs, in the order in which they are looked at. */
    public static final List<CertificatePurpose> REQUIRED = List.of(CA, ETCD, PROXY, SA);

    private final String suffix;
    private final String commonName;

    CertificatePurpose(String suffix, String commonName) {
        this.suffix = suffix;
        this.commonName = commonName;
    }

    /** The name of the secret: {@code <cluster>-<purpose>}. */
    public String secretName(String cluster) {
        return cluster + "-" + suffix;
    }

    /** The purpose as Cluster API and messages name it. */
    public String display() {
        return suffix;
    }

    /** Whether {@code tls.crt} must be a certificate authority. */
    public boolean authority() {
        return !commonName.isEmpty();
    }

    String commonName() {
        return commonName;
    }
}
