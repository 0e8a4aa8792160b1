package dev.slipway.cluster;

import dev.slipway.cluster.WorkloadClusterSpec.Certificates;
import dev.slipway.cluster.WorkloadClusterSpec.ClusterNetwork;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.cluster.WorkloadClusterSpec.Ranges;
import dev.slipway.cluster.WorkloadClusterSpec.TemplateRef;
import dev.slipway.cluster.WorkloadClusterSpec.Topology;
import dev.slipway.cluster.WorkloadClusterSpec.WorkerGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the object itself must keep, whatever else exists.
 *
 * <p>The custom resource's schema states the same rules at admission. They are checked again for objects that were
 * stored before a rule existed, or by a server that was told not to check.
 */
final class SpecRules {

    /** Secrets and credentials are named {@code <name>-…} and carry the name in labels of at most 63 characters. */
    static final int NAME_LIMIT = 60;

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern HOST = Pattern.compile("[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?");
    private static final Pattern VERSION =
            Pattern.compile("v(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)([-+][0-9A-Za-z.+-]+)?");
    private static final Duration CA_MINIMUM = Duration.ofDays(30);

    private final Findings findings;

    private SpecRules(Findings findings) {
        this.findings = findings;
    }

    /** Adds everything that is wrong with the object itself. */
    static void check(WorkloadCluster cluster, Findings findings) {
        SpecRules rules = new SpecRules(findings);
        WorkloadClusterSpec spec = cluster.spec();
        rules.name(cluster.name());
        rules.version(spec.version());
        rules.source(spec.topology(), spec.templateRef());
        rules.endpoint(spec.controlPlaneEndpoint());
        network("spec.clusterNetwork", spec.clusterNetwork(), findings);
        rules.certificates(spec.certificates());
        int percent = spec.workers().minimumReadyPercent();
        if (percent < 0 || percent > 100) {
            rules.invalid(
                    "PercentInvalid", "spec.workers.minimumReadyPercent", percent + " is no share", "Use 0 to 100");
        }
    }

    private void name(String name) {
        if (name.length() > NAME_LIMIT) {
            invalid(
                    "NameInvalid",
                    "metadata.name",
                    "the name has " + name.length() + " characters, the limit is " + NAME_LIMIT
                            + ": names of secrets, labels and credentials are derived from it",
                    "Choose a name of at most " + NAME_LIMIT + " characters");
        }
        if (!LABEL.matcher(name).matches()) {
            invalid(
                    "NameInvalid",
                    "metadata.name",
                    "'" + name + "' is not an RFC 1123 label: a dot or other character breaks host names later",
                    "Use lower-case letters, digits and '-' only, with a letter or digit at both ends");
        }
        if (name.equals("global")) {
            invalid(
                    "NameInvalid",
                    "metadata.name",
                    "'global' is reserved for the management cluster",
                    "Choose another name");
        }
    }

    private void version(String version) {
        if (!VERSION.matcher(version).matches()) {
            invalid(
                    "VersionInvalid",
                    "spec.version",
                    "'" + version + "' is not 'v', major, minor and patch",
                    "Write the version like v1.36.3");
        }
    }

    private void source(@Nullable Topology topology, @Nullable TemplateRef template) {
        if ((topology == null) == (template == null)) {
            invalid(
                    "SourceInvalid",
                    "spec",
                    topology == null ? "neither topology nor templateRef is set" : "topology and templateRef are set",
                    "Set exactly one of topology (a ClusterClass) and templateRef (a ConfigMap with manifests)");
        }
        if (topology != null) {
            topology(topology);
        }
        if (template != null && template.name().isEmpty()) {
            invalid("TemplateInvalid", "spec.templateRef.name", "it is empty", "Name a ConfigMap");
        }
    }

    private void topology(Topology topology) {
        if (topology.className().isEmpty()) {
            invalid("ClassUnknown", "spec.topology.class", "it is empty", "Name a ClusterClass");
        }
        Integer replicas =
                topology.controlPlane() == null ? null : topology.controlPlane().replicas();
        if (replicas != null && (replicas < 1 || replicas % 2 == 0)) {
            invalid(
                    "ReplicasInvalid",
                    "spec.topology.controlPlane.replicas",
                    replicas + " is not odd and at least 1",
                    "Use 1, 3 or 5 control plane machines, so that etcd keeps a majority");
        }
        Set<String> names = new HashSet<>();
        for (WorkerGroup group : topology.workers()) {
            String field = "spec.topology.workers[" + group.name() + "]";
            if (group.name().length() > 63 || !LABEL.matcher(group.name()).matches()) {
                invalid(
                        "NameInvalid",
                        field + ".name",
                        "'" + group.name() + "' is not an RFC 1123 label",
                        "Use lower-case letters, digits and '-' only in names of workers");
            }
            if (!names.add(group.name())) {
                invalid("NameInvalid", field, "the name is used twice", "Give each group of workers its own name");
            }
            if (group.replicas() != null && group.replicas() < 0) {
                invalid("ReplicasInvalid", field + ".replicas", group.replicas() + " is negative", "Use 0 or more");
            }
        }
    }

    private void endpoint(@Nullable Endpoint endpoint) {
        if (endpoint == null) {
            return;
        }
        if (!Cidr.isAddress(endpoint.host()) && !HOST.matcher(endpoint.host()).matches()) {
            invalid(
                    "EndpointInvalid",
                    "spec.controlPlaneEndpoint.host",
                    "'" + endpoint.host() + "' is neither a host name nor an IP address",
                    "Write a host name or an IP address only, without scheme, port or brackets");
        }
        if (endpoint.port() < 1 || endpoint.port() > 65_535) {
            invalid(
                    "EndpointInvalid",
                    "spec.controlPlaneEndpoint.port",
                    endpoint.port() + " is no port",
                    "Use a port of 1 to 65535, usually 6443");
        }
    }

    /** Adds everything that is wrong with the addresses of a cluster. */
    static void network(String field, @Nullable ClusterNetwork network, Findings findings) {
        if (network != null) {
            new SpecRules(findings).network(field, network);
        }
    }

    private void network(String field, ClusterNetwork network) {
        List<Cidr> pods = ranges(field + ".pods.cidrBlocks", network.pods());
        List<Cidr> services = ranges(field + ".services.cidrBlocks", network.services());
        for (Cidr pod : pods) {
            for (Cidr service : services) {
                if (pod.overlaps(service)) {
                    invalid(
                            "CidrOverlap",
                            field,
                            "pods " + pod.text() + " and services " + service.text() + " overlap",
                            "Choose ranges that have no address in common");
                }
            }
        }
        if (services.stream().filter(Cidr::ipv6).count() > 1
                || services.stream().filter(range -> !range.ipv6()).count() > 1) {
            invalid(
                    "CidrInvalid",
                    field + ".services.cidrBlocks",
                    "an API server takes at most one IPv4 and one IPv6 range for services",
                    "Remove the other ranges of services");
        }
    }

    private List<Cidr> ranges(String field, @Nullable Ranges ranges) {
        List<Cidr> found = new ArrayList<>();
        if (ranges == null) {
            return found;
        }
        if (ranges.cidrBlocks().isEmpty()) {
            invalid("CidrInvalid", field, "the list is empty", "Give a range, or leave the part out");
        }
        for (int i = 0; i < ranges.cidrBlocks().size(); i++) {
            String text = ranges.cidrBlocks().get(i);
            Cidr range = Cidr.parse(text).orElse(null);
            if (range == null) {
                invalid(
                        "CidrInvalid",
                        field + "[" + i + "]",
                        "'" + text + "' is not a CIDR",
                        "Write a range like 10.96.0.0/12 or fd00:1::/48");
                continue;
            }
            for (Cidr earlier : found) {
                if (earlier.overlaps(range)) {
                    invalid(
                            "CidrOverlap",
                            field + "[" + i + "]",
                            text + " overlaps " + earlier.text() + " of the same list",
                            "Remove or shrink one of the ranges");
                }
            }
            found.add(range);
        }
        return found;
    }

    private void certificates(Certificates certificates) {
        if (!certificates.keyAlgorithm().sizes().contains(certificates.keySize())) {
            invalid(
                    "KeySizeInvalid",
                    "spec.certificates.keySize",
                    certificates.keySize() + " bits do not fit " + certificates.keyAlgorithm(),
                    "Use one of " + certificates.keyAlgorithm().sizes() + " for " + certificates.keyAlgorithm());
        }
        if (certificates.caValidity().compareTo(CA_MINIMUM) <= 0) {
            invalid(
                    "ValidityInvalid",
                    "spec.certificates.caValidity",
                    certificates.caValidity().toHours() + "h is not longer than 30 days",
                    "Use more than 720h, for example 87600h");
        }
        if (certificates.clientValidity().compareTo(Duration.ofHours(1)) < 0
                || certificates.clientValidity().compareTo(certificates.caValidity()) > 0) {
            invalid(
                    "ValidityInvalid",
                    "spec.certificates.clientValidity",
                    certificates.clientValidity().toHours() + "h is shorter than 1h or longer than the CA's validity",
                    "Use at least 1h and at most caValidity, for example 8760h");
        }
    }

    private void invalid(String code, String field, String message, String remedy) {
        findings.problem(code, field, message, remedy);
    }
}
