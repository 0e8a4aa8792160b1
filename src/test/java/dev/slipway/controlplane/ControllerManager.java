package dev.slipway.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A kube-controller-manager that collects garbage, ends namespaces and makes ServiceAccounts and their tokens. */
final class ControllerManager implements AutoCloseable {

    private static final String CONTROLLERS = "garbage-collector-controller,namespace-controller,"
            + "serviceaccount-controller,serviceaccount-token-controller";
    private static final String PROOF = "/api/v1/namespaces/default/serviceaccounts/default";

    private final SupervisedProcess process;

    private ControllerManager(SupervisedProcess process) {
        this.process = process;
    }

    /** Starts the controllers for a server and waits for the first thing that they do. */
    static ControllerManager start(ApiServer server, Path folder) {
        Path binary = Binaries.get().find("kube-controller-manager");
        Path kubeconfig = folder.resolve("controller-manager.kubeconfig");
        ApiServer.write(kubeconfig, server.adminKubeconfig());
        List<String> command = List.of(
                binary.toString(),
                "--kubeconfig=" + kubeconfig,
                "--controllers=" + CONTROLLERS,
                "--secure-port=0",
                "--leader-elect=false",
                "--service-account-private-key-file=" + folder.resolve("sa.key"),
                "--root-ca-file=" + folder.resolve("ca.crt"));
        return Starting.onFreePorts("kube-controller-manager", 0, (ports, attempt) -> {
            SupervisedProcess process = SupervisedProcess.start(
                    "kube-controller-manager",
                    command,
                    Map.of("GOGC", "50", "GOMEMLIMIT", "200MiB"),
                    folder.resolve("kube-controller-manager.log"),
                    null);
            JsonApi api = server.json();
            return new Starting.Candidate<>(new ControllerManager(process), process, () -> api.get(PROOF)
                    .isPresent());
        });
    }

    List<ProcessHandle> processes() {
        return process.handles();
    }

    @Override
    public void close() {
        process.close();
    }
}
