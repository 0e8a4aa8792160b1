package dev.slipway.kubernetes;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The API of one workload cluster. */
final class WorkloadClient implements WorkloadClusters.Workload {

    private static final int LONGEST_ANSWER = 300;

    private final RestClient rest;
    private final KubeClient client;
    private final TokenCalls tokens;
    private final WorkloadAccess access;
    private final Duration connect;

    /**
     * Makes a client.
     *
     * @param access how the server is reached, by whom
     * @param bearers makes a client of the same server for whoever has that token and that CA
     */
    WorkloadClient(
            RestClient rest,
            CallSettings settings,
            WorkloadAccess access,
            BiFunction<WorkloadClusters.Token, String, RestClient> bearers) {
        this.rest = rest;
        this.client = KubeClient.of(rest, settings);
        this.access = access;
        this.connect = settings.connect();
        this.tokens = new TokenCalls(rest, bearers);
    }

    @Override
    public String server() {
        return rest.server();
    }

    @Override
    public String authority() {
        return access.authority();
    }

    @Override
    public WorkloadClusters.Kubeconfig kubeconfig() {
        return access.kubeconfig();
    }

    @Override
    public Optional<Instant> expires() {
        return access.expires();
    }

    @Override
    public List<X509Certificate> presented() {
        return PresentedCertificate.chain(URI.create(server()), connect);
    }

    @Override
    public LiveReader reader() {
        return client;
    }

    @Override
    public KubeWriter writer() {
        return client;
    }

    @Override
    public void ready() {
        Operation operation = Operation.path("/readyz");
        Answer answer = rest.call(operation, RestRequest.get("/readyz").accepting("*/*"));
        if (answer.ok()) {
            return;
        }
        if (answer.code() == 401 || answer.code() == 403 || answer.code() == 429) {
            throw rest.errors().refused(operation, answer);
        }
        throw CallError.API_NOT_READY.failure(
                "The API server " + server() + " is not ready: /readyz answered " + answer.code() + checks(answer));
    }

    @Override
    public String version() {
        Operation operation = Operation.path("/version");
        Answer answer = rest.succeed(operation, RestRequest.get("/version"));
        return rest.object(operation, answer).path("gitVersion").asText("");
    }

    @Override
    public Optional<WorkloadClusters.Bearer> review(
            WorkloadClusters.Token token, List<WorkloadClusters.Access> needed) {
        return review(token, authority(), needed);
    }

    @Override
    public Optional<WorkloadClusters.Bearer> review(
            WorkloadClusters.Token token, String authority, List<WorkloadClusters.Access> needed) {
        return tokens.review(token, authority, needed);
    }

    @Override
    public WorkloadClusters.IssuedToken requestToken(String account, Duration life, KubeObject boundTo) {
        return tokens.request(account, life, boundTo);
    }

    void close() {
        rest.close();
    }

    /** The failing checks out of the server's list of all. */
    private static String checks(Answer answer) {
        String failing = answer.body()
                .lines()
                .filter(line -> line.startsWith("[-]"))
                .map(line -> line.substring("[-]".length()))
                .collect(Collectors.joining("; "));
        if (failing.isEmpty()) {
            return ".";
        }
        return ": " + failing.substring(0, Math.min(failing.length(), LONGEST_ANSWER)) + ".";
    }
}
