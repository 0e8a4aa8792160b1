package dev.slipway.pki;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a leaf certificate shall say; the authority adds the rest.
 *
 * @param commonName the subject's CN
 * @param organizations the subject's O entries: the groups of a Kubernetes client
 * @param usages client, server, or both as for etcd peers
 * @param dnsNames subject alternative DNS names
 * @param ipAddresses subject alternative IP addresses, IPv4 or IPv6 literals
 * @param keyAlgorithm the algorithm of the new key
 * @param validity how long from now; cut at the authority's own end
 */
public record CertificateRequest(
        String commonName,
        List<String> organizations,
        Set<Usage> usages,
        List<String> dnsNames,
        List<String> ipAddresses,
        KeyAlgorithm keyAlgorithm,
        Duration validity) {

    /** What the holder of a certificate proves itself as. */
    public enum Usage {
        CLIENT,
        SERVER
    }

    public CertificateRequest {
        organizations = List.copyOf(organizations);
        usages = Set.copyOf(usages);
        dnsNames = List.copyOf(dnsNames);
        ipAddresses = List.copyOf(ipAddresses);
    }

    /** A client of an API server: CN is the user, O are the groups. */
    public static CertificateRequest client(String user, List<String> groups, KeyAlgorithm key, Duration validity) {
        return new CertificateRequest(user, groups, Set.of(Usage.CLIENT), List.of(), List.of(), key, validity);
    }

    /** A server that is reached by these names and addresses. */
    public static CertificateRequest server(
            String name, List<String> dnsNames, List<String> ipAddresses, KeyAlgorithm key, Duration validity) {
        return new CertificateRequest(name, List.of(), Set.of(Usage.SERVER), dnsNames, ipAddresses, key, validity);
    }

    /** The same for other usages: an etcd peer is both client and server. */
    public CertificateRequest usedAs(Usage... all) {
        return new CertificateRequest(
                commonName, organizations, Set.of(all), dnsNames, ipAddresses, keyAlgorithm, validity);
    }
}
