package dev.slipway;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import dev.slipway.platform.PlayedPlatform;
import dev.slipway.trigger.ImportSweep;
import dev.slipway.trigger.ImportTrigger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Imports of the whole application.
 *
 * <p>The platform is installed for these tests only, and taken away after them: where one is served every init calls the
 * import, and names are unique across namespaces, which is not what the other tests are about.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ImportCase extends WholeApplication {

    static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String IMPORT = "import";

    @Autowired
    Flows flows;

    @Autowired
    private ImportTrigger trigger;

    final JsonApi api = management().json();
    final String namespace = management().newNamespace("imports");
    PlayedPlatform platform;
    Rest rest;
    private Duration ahead = Duration.ZERO;

    @BeforeAll
    void aPlatformIsServed(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
        platform = PlayedPlatform.install(management());
        awaitPlatform("served");
    }

    @AfterAll
    void nothingIsLeft() {
        faults().clear();
        for (JsonNode cluster : api.list(declared(""))) {
            String path = declared("/" + name(cluster));
            api.delete(path);
            api.merge(path, "{\"metadata\": {\"finalizers\": null}}");
            flows.requestDelete(uid(cluster));
        }
        for (JsonNode cluster : api.list(clusters(""))) {
            String path = clusters("/" + name(cluster));
            api.delete(path);
            if (api.get(path).isPresent()) {
                // The provider's alone: it ends the workload server.
                api.merge(path, "{\"metadata\": {\"finalizers\": [\"cluster.cluster.x-k8s.io\"]}}");
            }
        }
        await("workload servers are gone").atMost(PATIENCE).until(() -> api.list(clusters(""))
                .isEmpty());
        platform.close();
        // First: by the time that was moved ahead the next look is overdue, so that asking for one changes nothing.
        ClockUtil.reset();
        awaitPlatform("absent");
    }

    /** Waits until Slipway knows. */
    private void awaitPlatform(String presence) {
        await("the platform is " + presence).atMost(PATIENCE).until(() -> {
            ImportSweep.now(trigger);
            return rest.get("/actuator/health")
                    .json()
                    .at("/components/platform/details/platform")
                    .asText()
                    .equals(presence);
        });
    }

    /** Moves the time of engine and kernel ahead. */
    private void move(Duration time) {
        ahead = ahead.plus(time);
        ClockUtil.offset(ahead.toMillis());
    }

    /** Moves the time ahead again and again, until it has brought that about: a run that has begun has its own time. */
    void moveUntil(String what, BooleanSupplier condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            boolean reached = condition.getAsBoolean();
            if (!reached) {
                move(Duration.ofMinutes(2));
            }
            return reached;
        });
    }

    /** The latest import of a cluster. */
    Optional<FlowView> latestImport(String uid) {
        return flows.latest(uid).stream()
                .filter(flow -> flow.kind().equals(IMPORT))
                .findFirst();
    }

    PhaseView awaitPhase(String uid, String phase, Predicate<PhaseView> condition) {
        return await(phase)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> latestImport(uid).map(FlowView::phases).orElse(List.of()).stream()
                                .filter(view -> view.name().equals(phase))
                                .findFirst()
                                .orElse(null),
                        view -> view != null && condition.test(view));
    }

    /** Waits until an import has ended that began after the one with that id. */
    FlowView awaitImported(String uid, String after) {
        return await("imported")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> latestImport(uid).orElse(null),
                        flow -> flow != null
                                && flow.state() != FlowState.RUNNING
                                && !flow.id().equals(after));
    }

    /** Stores a kubeconfig as a person does. */
    void secret(String name, String kubeconfig) {
        String value = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
        api.applyYaml(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: " + name + "}\ndata: {value: " + value + "}\n",
                namespace);
    }

    String kubeconfig(String cluster) {
        String value = await("the kubeconfig of " + cluster)
                .atMost(PATIENCE)
                .until(
                        () -> api.get("/api/v1/namespaces/" + namespace + "/secrets/" + cluster + "-kubeconfig"),
                        Optional::isPresent)
                .orElseThrow()
                .at("/data/value")
                .asText();
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }

    ObjectNode cluster(String name) {
        return api.get(clusters("/" + name)).orElseThrow();
    }

    String clusters(String suffix) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters" + suffix;
    }

    String declared(String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters" + suffix;
    }

    /** The cluster in the REST API. */
    String path(String cluster) {
        return "/api/v1/clusters/" + namespace + "/" + cluster;
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText();
            }
        }
        return "";
    }
}
