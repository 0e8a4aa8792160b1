package dev.slipway.controlplane;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import okhttp3.Request;
import okhttp3.Response;

/** A running kube-apiserver on loopback, with its own certificates and its own corner of an etcd. */
public final class ApiServer implements AutoCloseable {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    // Small clusters: rather collect garbage often than hold on to memory.
    private static final Map<String, String> MEMORY = Map.of("GOGC", "50", "GOMEMLIMIT", "400MiB");

    private final SupervisedProcess process;
    private final String url;
    private final Pki.Set pki;
    private final ApiClient client;

    private ApiServer(SupervisedProcess process, String url, Pki.Set pki) {
        this.process = process;
        this.url = url;
        this.pki = pki;
        this.client = clientOf(url, pki);
    }

    /**
     * How to start one.
     *
     * @param name names it in messages and its log file
     * @param folder for its log and certificates, which only the user can read
     * @param etcd holds its data
     * @param prefix its corner of the etcd, for example {@code /registry}
     * @param pki its certificates
     * @param serviceRange the range of service addresses
     * @param auditLog where to write one JSON line per request; null for no audit log
     * @param auditRules which requests, as the YAML list of an audit policy's rules
     */
    record Options(
            String name,
            Path folder,
            Etcd etcd,
            String prefix,
            Pki.Set pki,
            String serviceRange,
            Path auditLog,
            String auditRules) {}

    static ApiServer start(Options options) {
        return start(options, 0);
    }

    /** Starts on a given port, as one that takes the place of another must; 0 finds a free one. */
    static ApiServer start(Options options, int port) {
        Path binary = Binaries.get().find("kube-apiserver");
        writeCertificates(options);
        return Starting.onFreePorts(options.name(), port == 0 ? 1 : 0, (ports, attempt) -> {
            int chosen = port == 0 ? ports.get(0) : port;
            List<String> command = new ArrayList<>();
            command.add(binary.toString());
            command.addAll(flags(options, chosen));
            SupervisedProcess process = SupervisedProcess.start(
                    options.name(), command, MEMORY, options.folder().resolve(options.name() + ".log"), null);
            ApiServer server = new ApiServer(process, "https://127.0.0.1:" + chosen, options.pki());
            return new Starting.Candidate<>(server, process, server::ready);
        });
    }

    private static List<String> flags(Options options, int port) {
        Path folder = options.folder();
        List<String> flags = new ArrayList<>(List.of(
                "--etcd-servers=" + options.etcd().url(),
                "--etcd-prefix=" + options.prefix(),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--tls-cert-file=" + folder.resolve("serving.crt"),
                "--tls-private-key-file=" + folder.resolve("serving.key"),
                "--client-ca-file=" + folder.resolve("ca.crt"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + folder.resolve("sa.pub"),
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-cluster-ip-range=" + options.serviceRange(),
                "--authorization-mode=RBAC",
                "--disable-admission-plugins=ServiceAccount",
                "--endpoint-reconciler-type=none",
                "--allow-privileged=true",
                "--profiling=false",
                "--shutdown-delay-duration=0s"));
        if (options.auditLog() != null) {
            flags.add("--audit-policy-file=" + folder.resolve("audit-policy.yaml"));
            flags.add("--audit-log-path=" + options.auditLog());
            flags.add("--audit-log-mode=blocking");
            flags.add("--audit-log-maxsize=4096");
        }
        return flags;
    }

    private static void writeCertificates(Options options) {
        Path folder = options.folder();
        Pki.Set pki = options.pki();
        write(folder.resolve("ca.crt"), pki.authority().certificate());
        write(folder.resolve("serving.crt"), pki.serving().certificate());
        write(folder.resolve("serving.key"), pki.serving().key());
        write(folder.resolve("sa.pub"), pki.serviceAccounts().certificate());
        write(folder.resolve("sa.key"), pki.serviceAccounts().key());
        if (options.auditLog() != null) {
            write(
                    folder.resolve("audit-policy.yaml"),
                    """
                    apiVersion: audit.k8s.io/v1
                    kind: Policy
                    omitStages: [RequestReceived]
                    rules:
                    """
                            + options.auditRules() + "\n");
        }
    }

    static void write(Path file, String text) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }

    private static ApiClient clientOf(String url, Pki.Set pki) {
        ApiClient client = new ClientBuilder()
                .setBasePath(url)
                .setCertificateAuthority(bytes(pki.authority().certificate()))
                .setAuthentication(new ClientCertificateAuthentication(
                        bytes(pki.admin().certificate()), bytes(pki.admin().key())))
                .build();
        return client.setHttpClient(client.getHttpClient()
                .newBuilder()
                .callTimeout(CALL_TIMEOUT)
                .connectTimeout(CALL_TIMEOUT)
                .readTimeout(CALL_TIMEOUT)
                .build());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The server's URL. */
    public String url() {
        return url;
    }

    /** PEM of the authority that signed the serving certificate and signs clients. */
    public String caPem() {
        return pki.authority().certificate();
    }

    /** A client as {@code system:masters} with deadlines of 10 s; watches need one of their own. */
    public ApiClient newClient() {
        return clientOf(url, pki);
    }

    /** JSON access as {@code system:masters}. */
    public JsonApi json() {
        return new JsonApi(client);
    }

    /** A kubeconfig as {@code system:masters}. */
    public String adminKubeconfig() {
        return Kubeconfig.of(process.name(), url, caPem(), pki.admin());
    }

    /** A kubeconfig with a fresh client certificate for that user and group; it may do what RBAC says. */
    public String kubeconfigFor(String user, String group) {
        return Kubeconfig.of(user, url, caPem(), Pki.client(pki.authority(), user, group));
    }

    boolean alive() {
        return process.alive();
    }

    List<ProcessHandle> processes() {
        return process.handles();
    }

    private boolean ready() throws IOException {
        Request request = new Request.Builder().url(url + "/readyz").build();
        try (Response response = client.getHttpClient().newCall(request).execute()) {
            return response.code() == 200;
        }
    }

    @Override
    public void close() {
        process.close();
        client.getHttpClient().connectionPool().evictAll();
        client.getHttpClient().dispatcher().executorService().shutdown();
    }
}
