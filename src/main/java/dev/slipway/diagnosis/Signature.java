package dev.slipway.diagnosis;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A pattern that operators know, by its name, and what to do about it first.
 *
 * @param name for example {@code API unreachable}
 * @param advice what it means, and where to look first
 */
public record Signature(String name, String advice) {

    static final String NO_SUCH_CLUSTER = "No such cluster";

    /** The first that fits counts: what explains the others stands before them. */
    private static final List<Known> ALL = List.of(
            known(
                    "Management API unreachable",
                    step(1, "ApiUnreachable", "ApiTimeout", "ApiNotReady", Findings.OVERDUE),
                    "Slipway cannot read the management cluster, so little can be said about this one. Check its API"
                            + " server and Slipway's way to it."),
            known(
                    NO_SUCH_CLUSTER,
                    code("WorkloadClusterAbsent").and(code("ClusterAbsent")).and(code("NoFlow")),
                    "Neither a WorkloadCluster nor a Cluster of that name exists, and no flow ever ran. Check namespace"
                            + " and name."),
            known(
                    "Cluster API not installed",
                    step(1, "ClusterApiAbsent"),
                    "The management cluster does not serve Cluster API's kinds. Install Cluster API and its providers."),
            known(
                    "Paused",
                    step(1, "Paused"),
                    "Somebody told the controllers to leave it alone, so nothing moves. Set spec.paused to false, or"
                            + " remove the annotation cluster.x-k8s.io/paused, where the findings say so."),
            known(
                    "ClusterClass missing",
                    step(1, "ClusterClassMissing"),
                    "The topology names a ClusterClass that does not exist. Create it, or name an existing one."),
            known(
                    "Cluster CA lost",
                    step(3, "CaLost"),
                    "Key material that the cluster already uses is gone. Restore the secrets from a backup; new ones"
                            + " would cut off every node."),
            known(
                    "Certificate expired",
                    code("CertificateExpired", "CaExpired", "KubeconfigExpired", "ClientCertificateExpired"),
                    "A certificate is past its end. The findings name it; renew it, and check the clocks."),
            known(
                    "API certificate not trusted",
                    step(4, "CaUnknown", "HostnameMismatch", "CertificateNotYetValid", "CertificateRejected"),
                    "Something answers at the endpoint with a certificate that the kubeconfig does not trust. Compare"
                            + " the fingerprint with the server's own before you trust it."),
            known(
                    "Control plane below quorum",
                    step(1, "ControlPlaneBelowQuorum"),
                    "Too few control plane machines are ready for etcd to agree on anything. Bring machines back before"
                            + " anything is deleted or replaced."),
            known(
                    "Machines have no infrastructure",
                    step(2, "InfrastructureNotReady"),
                    "The infrastructure provider does not bring the machines. Look at its log, its quota and its"
                            + " credentials."),
            known(
                    "API unreachable",
                    step(4, "ApiUnreachable", "ApiTimeout", "ApiNotReady"),
                    "The cluster's API server does not answer. Look at the load balancer, the first control plane"
                            + " machine, and firewalls between Slipway and the endpoint."),
            known(
                    "Import failed",
                    notReady()
                            .and(sentryMissing())
                            .and(step(8, InvariantsStep.PLATFORM_CLUSTER_ABSENT))
                            .and(step(8, InvariantsStep.LABEL_ABSENT))
                            .and(step(8, InvariantsStep.CREDENTIALS_TOO_MANY)),
                    "Cluster API has built the cluster, but its import never came to its end: no account sentry that"
                            + " installs the network, no platform Cluster, no label, and a credential of each attempt."
                            + " Machines are well: delete none. Start the import, or decide RESET_IMPORT in its task."),
            known(
                    "Import failed: nodes wait for sentry",
                    notReady().and(sentryMissing()),
                    "The nodes have no network, since the account sentry that installs it is missing in the workload"
                            + " cluster. The import makes it: look where it stands, or start it."),
            known(
                    "Import failed: more than one credential",
                    step(8, InvariantsStep.CREDENTIALS_TOO_MANY),
                    "Attempts of an import left credentials behind. The import keeps one and removes those that nobody"
                            + " uses; what it leaves to a person is in step 9."),
            known(
                    "Platform credential refused",
                    problem(9, CredentialsStep.REFUSED),
                    "The workload cluster does not accept the token that the platform uses. The import puts a new one"
                            + " into the same credential: look at the import flow in step 6, or start it."),
            known(
                    "Platform Cluster failed",
                    step(8, InvariantsStep.PLATFORM_CLUSTER_FAILED),
                    "The platform's own controller cannot work with the cluster. Its message is in step 8."),
            known(
                    "Not imported",
                    problem(8, InvariantsStep.PLATFORM_CLUSTER_ABSENT).and(problem(8, InvariantsStep.LABEL_ABSENT)),
                    "The cluster is up, but the platform does not know it. Look at the import flow in step 6; if there"
                            + " is none, start one."),
            known(
                    "Import incomplete",
                    problem(
                            8,
                            InvariantsStep.PLATFORM_CLUSTER_ABSENT,
                            InvariantsStep.LABEL_ABSENT,
                            InvariantsStep.CREDENTIAL_ABSENT,
                            InvariantsStep.SENTRY_ABSENT),
                    "Some of what makes an imported cluster is missing; step 8 says what, and which phase repairs it."),
            known(
                    "Nodes NotReady: no CNI",
                    step(2, "NoCni"),
                    "The nodes have no network plugin. Install a CNI, or look at its pods on the cluster."));

    private record Known(Signature signature, Predicate<List<Finding>> pattern) {}

    /** The pattern that these findings show. */
    static Optional<Signature> of(List<Finding> findings) {
        return ALL.stream()
                .filter(known -> known.pattern().test(findings))
                .findFirst()
                .map(Known::signature);
    }

    private static Known known(String name, Predicate<List<Finding>> pattern, String advice) {
        return new Known(new Signature(name, advice), pattern);
    }

    /** That step found one of these codes. */
    private static Predicate<List<Finding>> step(int number, String... codes) {
        Set<String> wanted = Set.of(codes);
        return findings ->
                findings.stream().anyMatch(finding -> finding.step() == number && wanted.contains(codeOf(finding)));
    }

    /** That step found one of these codes, and it is a problem by now. */
    private static Predicate<List<Finding>> problem(int number, String... codes) {
        Predicate<List<Finding>> found = step(number, codes);
        return findings -> found.test(findings.stream()
                .filter(finding -> finding.verdict() == Verdict.PROBLEM)
                .toList());
    }

    private static Predicate<List<Finding>> notReady() {
        return step(2, "NoCni", "NodeNotReady");
    }

    private static Predicate<List<Finding>> sentryMissing() {
        return step(8, InvariantsStep.SENTRY_ABSENT).or(problem(7, ProviderStep.SENTRY_NOT_FOUND));
    }

    /** Any step found one of these codes. */
    private static Predicate<List<Finding>> code(String... codes) {
        Set<String> wanted = Set.of(codes);
        return findings -> findings.stream().anyMatch(finding -> wanted.contains(codeOf(finding)));
    }

    private static String codeOf(Finding finding) {
        return finding.code() == null ? "" : finding.code();
    }
}
