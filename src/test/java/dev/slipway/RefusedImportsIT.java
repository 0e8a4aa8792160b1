package dev.slipway;

import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.TlsFronts;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What keeps a cluster from being imported: each thing has a code of its own, says what it is and what to do. */
class RefusedImportsIT extends ImportCase {

    /** The management cluster plays the workload clusters as well. */
    private final TlsFronts fronts = TlsFronts.before(management());

    private final FaultInjector deleting = FaultInjector.before(management());
    private final Pki.Pem authority = Pki.authority("workload");
    private final Pki.Pem stranger = Pki.client(Pki.authority("strange"), "admin", "system:masters");
    private final String elsewhere = management().newNamespace("elsewhere");

    @BeforeAll
    void eachInAStateOfItsOwn() {
        Pki.Pem admin = Pki.client(authority, "admin", "");
        cluster("identity", "slipway.dev/cluster-id: another-cluster", kubeconfig(admin));
        cluster("authority", "", Kubeconfig.of("k", front(), management().caPem(), admin));
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        cluster("expired", "", kubeconfig(Pki.client(authority, "admin", "", yesterday)));
        cluster(
                "revoked",
                "",
                Kubeconfig.of("k", management().server(), management().caPem(), stranger));
        cluster(
                "token",
                "",
                management()
                        .adminKubeconfig()
                        .replaceFirst("(?s)client-certificate-data:.*client-key-data:", "token:"));
        cluster("forbidden", "", management().kubeconfigFor("nobody", "nothing"));
        deleting.on(verb("get"), resource("namespaces"), Calls.name("cpaas-system"))
                .rewrite(namespace -> {
                    namespace.withObjectProperty("status").put("phase", "Terminating");
                    return namespace;
                });
        cluster("terminating", "", deleting.kubeconfig());
        // Its import has begun, so that it has the name.
        api.applyYaml(
                yaml("twice", 1, "slipway.dev/import: \"false\"")
                        .replace("metadata: {", "metadata: {finalizers: [capi.cpaas.io/imported], "),
                elsewhere);
        cluster("twice", "", kubeconfig(admin));
    }

    @AfterAll
    void close() {
        String other = "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + elsewhere + "/clusters/twice";
        api.delete(other);
        api.merge(other, "{\"metadata\": {\"finalizers\": [\"cluster.cluster.x-k8s.io\"]}}");
        await("it is gone").atMost(PATIENCE).until(() -> api.get(other).isEmpty());
        deleting.close();
        fronts.close();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "identity | IdentityChanged | is registered with the identity another-cluster | REPLACE_IDENTITY",
                "authority | CaMismatch | Presented is 'CN=kube-apiserver' | ACCEPT_CA",
                "expired | CredentialExpired | expired at 20 | SUPPLY_CREDENTIALS",
                "revoked | Unauthorized | kube-system | SUPPLY_CREDENTIALS",
                "token | Unauthorized | /version | SUPPLY_CREDENTIALS",
                "forbidden | Forbidden | kube-system | SUPPLY_CREDENTIALS",
                "terminating | WaitingForNamespaceGone | cpaas-system | Terminating",
                "twice | NameTaken | elsewhere- | slipway.dev/import"
            })
    @Tag("T30")
    @Tag("T35")
    @Tag("T75")
    void saysWhatIsWrongAndWhatToDo(String cluster, String code, String text, String remedy) {
        // when
        JsonNode phase = await(cluster)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> phase(cluster, code), Objects::nonNull);

        // then
        assertThat(phase.path("message").asText()).contains(text);
        assertThat(phase.path("actions")).isNotEmpty().anySatisfy(action -> assertThat(action.asText())
                .contains(remedy));
        assertThat(phase.path("choices")).isNotEmpty();
    }

    /** The phase of the import that says so, once it asks a person if it is to; null if none does. */
    private JsonNode phase(String cluster, String code) {
        for (JsonNode phase : rest.get(path(cluster)).json().at("/flows/0/phases")) {
            boolean asks = phase.path("stuck").asBoolean() || code.startsWith("WaitingFor");
            if (phase.path("reason").asText().equals(code) && asks) {
                return phase;
            }
        }
        return null;
    }

    /** A Cluster that somebody else built, with the secret of its kubeconfig. */
    private void cluster(String name, String annotation, String kubeconfig) {
        secret(name + "-kubeconfig", kubeconfig);
        Matcher server = Pattern.compile("server: \"?(https://[^\\s\"]+)").matcher(kubeconfig);
        assertThat(server.find()).isTrue();
        api.applyYaml(yaml(name, URI.create(server.group(1)).getPort(), annotation), namespace);
    }

    private static String yaml(String name, int port, String annotation) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %s, annotations: {%s}}
                spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: %d}}
                """
                .formatted(name, annotation, port);
    }

    /** A way in to a cluster with an identity of its own. */
    private String kubeconfig(Pki.Pem client) {
        return Kubeconfig.of("k", front(), authority.certificate(), client);
    }

    private String front() {
        return "https://127.0.0.1:"
                + fronts.open(authority, UUID.randomUUID().toString(), Duration.ofMillis(1))
                        .port();
    }
}
