package dev.slipway.controlplane;

import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.util.FileSystemUtils;

/**
 * A Kubernetes control plane: real etcd and kube-apiserver, and some controllers when asked for.
 *
 * <p>Tests take {@link #shared()} and a namespace of their own. Everything ends with the JVM, however that ends.
 */
public final class ControlPlane implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final Path folder;
    private final Etcd etcd;
    private final boolean ownsEtcd;
    private final ApiServer apiServer;
    private final ControllerManager controllers;

    private ControlPlane(Builder builder) {
        this.folder = TemporaryFolders.create();
        this.ownsEtcd = builder.etcd == null;
        List<AutoCloseable> started = new ArrayList<>();
        try {
            this.etcd = ownsEtcd ? Etcd.start(folder) : builder.etcd;
            if (ownsEtcd) {
                started.add(etcd);
            }
            String prefix = ownsEtcd ? "/registry" : "/registry-" + folder.getFileName();
            this.apiServer = ApiServer.start(new ApiServer.Options(
                    "kube-apiserver",
                    folder,
                    etcd,
                    builder.prefix == null ? prefix : builder.prefix,
                    builder.certificates(),
                    builder.serviceRange,
                    builder.auditLog,
                    builder.auditRules));
            started.add(apiServer);
            this.controllers = builder.controllers ? ControllerManager.start(apiServer, folder) : null;
        } catch (RuntimeException e) {
            // Logs stay for a look; processes do not.
            started.forEach(ControlPlane::closeQuietly);
            throw e;
        }
    }

    /**
     * The control plane that all tests of this JVM share, with all CRDs of the class path installed.
     *
     * <p>Started at first use, without controllers: owners' children and deleted namespaces stay.
     */
    public static ControlPlane shared() {
        return Shared.INSTANCE;
    }

    /** Starts describing a control plane of one's own. */
    public static Builder builder() {
        return new Builder();
    }

    /** The version of Kubernetes that this project runs its tests and sandbox with, for example {@code v1.36.3}. */
    public static String kubernetesVersion() {
        return GoModule.find().kubernetesVersion();
    }

    /** Finds or makes the binary of the controllers, so that starting with them works; may take minutes. */
    public static void prepareControllers() {
        Binaries.get().find("kube-controller-manager");
    }

    /** JSON access as {@code system:masters}. */
    public JsonApi json() {
        return apiServer.json();
    }

    /** A new client as {@code system:masters} with deadlines of 10 s; watches need a client without. */
    public ApiClient apiClient() {
        return apiServer.newClient();
    }

    /** A kubeconfig as {@code system:masters}. */
    public String adminKubeconfig() {
        return apiServer.adminKubeconfig();
    }

    /** A kubeconfig for that user and group, who may do what RBAC says. */
    public String kubeconfigFor(String user, String group) {
        return apiServer.kubeconfigFor(user, group);
    }

    /** Writes the admin kubeconfig, readable by its owner only. */
    public Path writeKubeconfig(Path file) {
        ApiServer.write(file, adminKubeconfig());
        return file;
    }

    /** The API server's URL. */
    public String server() {
        return apiServer.url();
    }

    /** PEM of the authority behind the serving certificate. */
    public String caPem() {
        return apiServer.caPem();
    }

    /** Whether its API server is still running. */
    public boolean alive() {
        return apiServer.alive();
    }

    /** The etcd behind it, to share it with another control plane. */
    public Etcd etcd() {
        return etcd;
    }

    /** Where the logs are. */
    public Path folder() {
        return folder;
    }

    /** Installs all CRDs of {@code crds/} on the class path, at any depth, and waits until they are served. */
    public void installCrds() {
        installCrds("classpath*:crds/**/*.yaml");
    }

    /** Installs the CRDs of the class path resources that match and waits until they are served. */
    public void installCrds(String pattern) {
        new Crds(json()).install(pattern);
    }

    /** Creates a namespace whose name starts so, new for this control plane. */
    public String newNamespace(String prefix) {
        String name = prefix + "-" + COUNTER.incrementAndGet() + "-"
                + Long.toString(ProcessHandle.current().pid(), 36);
        var created = json().create("/api/v1/namespaces", JsonApi.parse("{\"metadata\":{\"name\":\"" + name + "\"}}"));
        if (created.isEmpty()) {
            throw new IllegalStateException("The namespace " + name + " exists");
        }
        return name;
    }

    /** Every process of this control plane, for tests that see them end. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> processes = new ArrayList<>(apiServer.processes());
        processes.addAll(etcd.processes());
        if (controllers != null) {
            processes.addAll(controllers.processes());
        }
        return processes;
    }

    @Override
    public void close() {
        if (controllers != null) {
            controllers.close();
        }
        apiServer.close();
        if (ownsEtcd) {
            etcd.close();
        }
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove " + folder, e);
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            Binaries.report("Cannot stop: " + e);
        }
    }

    /** A part could not be found or started; the message says which, what was tried, and what to do. */
    public static final class StartFailed extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        StartFailed(String message) {
            super(message);
        }
    }

    /** Says what a control plane shall have. */
    public static final class Builder {

        private Etcd etcd;
        private String prefix;
        private boolean controllers;
        private Path auditLog;
        private String auditRules = "- level: Metadata";
        private Pki.Pem authority;
        private Pki.Pem serviceAccountKeys;
        private String serviceRange = "10.0.0.0/24";

        private Builder() {}

        /** Shares an etcd instead of starting one; data is kept apart by prefix. */
        public Builder etcd(Etcd shared) {
            this.etcd = shared;
            return this;
        }

        /** Where in etcd its data is; by default a place of its own. */
        public Builder prefix(String etcdPrefix) {
            this.prefix = etcdPrefix;
            return this;
        }

        /** The authority that signs the serving certificate and clients, instead of a new one. */
        public Builder authority(Pki.Pem pem) {
            this.authority = pem;
            return this;
        }

        /** The keys that ServiceAccount tokens are signed with, instead of new ones. */
        public Builder serviceAccountKeys(Pki.Pem pem) {
            this.serviceAccountKeys = pem;
            return this;
        }

        /** The range of service addresses, for example {@code 10.0.0.0/24}. */
        public Builder serviceRange(String cidr) {
            this.serviceRange = cidr;
            return this;
        }

        private Pki.Set certificates() {
            return Pki.Set.of(
                    authority == null ? Pki.authority("slipway-control-plane") : authority,
                    serviceAccountKeys == null ? Pki.keyPair() : serviceAccountKeys);
        }

        /** Whether to run the controllers for garbage, namespaces and ServiceAccounts. */
        public Builder controllers(boolean run) {
            this.controllers = run;
            return this;
        }

        /** Writes one JSON line per finished request to that file. */
        public Builder auditLog(Path file) {
            this.auditLog = file;
            return this;
        }

        /** Writes one JSON line per finished request that may have changed a Secret. */
        public Builder auditOfSecrets(Path file) {
            this.auditRules =
                    """
                    - level: None
                      verbs: [get, list, watch]
                    - level: Metadata
                      resources: [{group: "", resources: [secrets]}]
                    - level: None""";
            return auditLog(file);
        }

        /** Writes one JSON line per finished request to delete something. */
        public Builder auditOfDeletes(Path file) {
            this.auditRules =
                    """
                    - level: Metadata
                      verbs: [delete, deletecollection]
                    - level: None""";
            return auditLog(file);
        }

        /** Starts it and waits until it is ready. */
        public ControlPlane start() {
            return new ControlPlane(this);
        }
    }

    /** Created at first use. */
    private static final class Shared {
        private static final ControlPlane INSTANCE = create();

        private static ControlPlane create() {
            ControlPlane controlPlane = builder().start();
            Runtime.getRuntime().addShutdownHook(new Thread(controlPlane::close, "close-control-plane"));
            controlPlane.installCrds();
            return controlPlane;
        }
    }
}
