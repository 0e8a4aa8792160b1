package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.TcpProbe;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Goes the way to the workload cluster's API as far as it leads: TCP, TLS, {@code /readyz}, {@code /version}. */
@Component
final class ReachabilityStep implements Step {

    private static final int HTTPS = 443;
    /** For the name and for each of two addresses: with the calls after it less than the step's deadline. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ClusterApi api;
    private final ClusterAccess workloads;
    private final TcpProbe tcp;

    ReachabilityStep(ClusterApi api, ClusterAccess workloads, TcpProbe tcp) {
        this.api = api;
        this.workloads = workloads;
        this.tcp = tcp;
    }

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return "Workload API";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        Set<Endpoint> endpoints = new LinkedHashSet<>();
        findings.look("endpoint", () -> {
            Optional<Endpoint> endpoint =
                    api.cluster(cluster.namespace(), cluster.name()).flatMap(CapiCluster::endpoint);
            endpoint.ifPresentOrElse(
                    endpoints::add,
                    () -> findings.add(
                            Seen.warning("endpoint", "NoEndpoint", "the Cluster has no control plane endpoint (yet)")));
        });
        findings.look("kubeconfig", () -> {
            Optional<Workload> workload = workloads.open(cluster);
            workload.ifPresent(access -> endpoint(access).ifPresent(endpoints::add));
            boolean open = true;
            for (Endpoint endpoint : endpoints) {
                open &= tcp(endpoint, findings);
            }
            if (workload.isEmpty()) {
                findings.add(Seen.unknown(
                        "readyz", "NoKubeconfig", "there is no kubeconfig secret, so TLS and the API cannot be tried"));
            } else if (open) {
                call(workload.get(), findings);
            }
        });
    }

    private static Optional<Endpoint> endpoint(Workload workload) {
        URI server = URI.create(workload.server());
        String host = server.getHost().replace("[", "").replace("]", "");
        return Optional.of(new Endpoint(host, server.getPort() < 0 ? HTTPS : server.getPort()));
    }

    private boolean tcp(Endpoint endpoint, Findings findings) {
        String object = "tcp/" + endpoint.display();
        findings.expect(Seen.problem(object, "ApiTimeout", "it does not accept a connection"));
        Optional<Outcome.Waiting> awaited = tcp.connect(endpoint, PATIENCE);
        findings.add(awaited.map(missing -> Seen.problem(object, "ApiUnreachable", missing.message()))
                .orElseGet(() -> Seen.ok(object, "accepts connections")));
        return awaited.isEmpty();
    }

    private static void call(Workload workload, Findings findings) {
        String server = workload.server();
        String object = server + "/readyz";
        findings.expect(Seen.problem(object, "ApiTimeout", "accepts connections and does not answer"));
        try {
            workload.ready();
            findings.add(Seen.ok(object, "TLS is trusted, and the API server is ready"));
        } catch (Failure failure) {
            findings.add(failed(object, failure));
            return;
        }
        findings.asking(server + "/version");
        findings.add(Seen.ok(server + "/version", workload.version()));
    }

    /** The server's word, or its silence, is what was asked for: not being let in says nothing about its health. */
    private static Seen failed(String object, Failure failure) {
        String[] actions = failure.actions().toArray(new String[0]);
        return failure.errorClass() == ErrorClass.AUTH
                ? Seen.unknown(object, failure.code(), failure.message(), actions)
                : Seen.problem(object, failure.code(), failure.message(), actions);
    }
}
