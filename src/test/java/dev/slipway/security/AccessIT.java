package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.security.AccessTable.Cell;
import dev.slipway.security.AccessTable.Row;
import dev.slipway.security.AccessTable.Who;
import jakarta.servlet.ServletContext;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.camunda.bpm.engine.IdentityService;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Tries each cell of {@link AccessTable} on the running application, and that no request is missing in it. */
class AccessIT extends WholeApplication {

    private static final String OWN_PASSWORD = "some password";

    private final String namespace = management().newNamespace("access");
    private final String elsewhere = management().newNamespace("elsewhere");

    @LocalServerPort
    private int port;

    @Autowired
    private IdentityService identity;

    @Autowired
    private ReceiptBook receipts;

    @Autowired
    private List<RequestMappingInfoHandlerMapping> mappings;

    @Autowired
    private ServletContext servlets;

    @Test
    void letsInWhoMayAndNobodyElse() {
        // given
        Map<Who, Rest> callers = callers();
        String flow = flow();
        String receipt = receipt();

        // when
        Map<String, String> wrong = new TreeMap<>();
        for (Row row : AccessTable.rows()) {
            String path = (row.path() + row.query())
                    .replace("{namespace}", namespace)
                    .replace("{name}", "none")
                    .replace("{id}", flow)
                    .replace("{flow}", receipt)
                    .replace("{requiredMetricName}", "jvm.memory.used")
                    .replace("/assets/**", "/assets/kept.txt")
                    .replace("/engine-rest/**", "/engine-rest/process-definition/count")
                    .replace("/camunda/**", "/camunda/api/admin/auth/user/default")
                    .replace("/**", "/liveness");
            for (Who who : Who.values()) {
                int status = status(callers.get(who), row, path);
                if (Cell.of(status) != row.of(who)) {
                    wrong.put(row + " by " + who, "is " + status + ", not " + row.of(who));
                }
            }
        }

        // then
        assertThat(wrong).isEmpty();
    }

    @Test
    void knowsEachRequestThatIsAnswered() {
        // given
        Set<String> known = AccessTable.rows().stream()
                .map(row -> row.method() + " " + row.path())
                .collect(Collectors.toSet());

        // when
        Set<String> missing = new TreeSet<>();
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            mapping.getHandlerMethods().keySet().forEach(info -> {
                for (String path : info.getPatternValues()) {
                    Set<String> methods = info.getMethodsCondition().getMethods().stream()
                            .map(Enum::name)
                            .collect(Collectors.toSet());
                    (methods.isEmpty() ? Set.of("GET") : methods).forEach(method -> missing.add(method + " " + path));
                }
            });
        }
        missing.removeAll(known);
        // The container's own page for errors, reached by forwards only.
        missing.remove("GET /error");

        // then
        assertThat(missing)
                .as("add these to AccessTable, and their rules to ApiRules")
                .isEmpty();
        assertThat(servlets.getServletRegistrations().values().stream()
                        .flatMap(servlet -> servlet.getMappings().stream())
                        .filter(path -> !path.startsWith("/camunda/") && !path.startsWith("/engine-rest/")))
                .as("paths of servlets beside Spring's")
                .containsOnly("/");
    }

    private int status(Rest caller, Row row, String path) {
        HttpRequest.Builder request = caller.request(path);
        if (row.body() != null) {
            request.header("Content-Type", "application/json");
        }
        HttpRequest.BodyPublisher body = row.body() == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(row.body().replace("{namespace}", namespace));
        if (path.endsWith("/deployment/create")) {
            request.header("Content-Type", "multipart/form-data; boundary=x");
            body = HttpRequest.BodyPublishers.ofString("--x\r\nContent-Disposition: form-data;"
                    + " name=\"f\"; filename=\"f.txt\"\r\n\r\ntext\r\n--x--\r\n");
        }
        return caller.send(request.method(row.method(), body)).status();
    }

    private Map<Who, Rest> callers() {
        ServiceAccounts accounts = new ServiceAccounts(management().json());
        Map<Who, Rest> callers = new EnumMap<>(Who.class);
        callers.put(Who.NOBODY, Rest.anonymous(port));
        callers.put(Who.NO_ROLE, user());
        callers.put(Who.VIEWER, user("viewers"));
        callers.put(Who.OPERATOR, user("operators"));
        callers.put(Who.DESIGNER, user("designers"));
        callers.put(Who.ADMIN, user("camunda-admin"));
        callers.put(Who.TOKEN_VIEW, Rest.withToken(port, accounts.viewerOf(namespace)));
        callers.put(Who.TOKEN_EDIT, Rest.withToken(port, accounts.editorOf(namespace)));
        callers.put(Who.TOKEN_ELSEWHERE, Rest.withToken(port, accounts.editorOf(elsewhere)));
        return callers;
    }

    private Rest user(String... groups) {
        String name = "user" + UUID.randomUUID().toString().substring(0, 8);
        var user = identity.newUser(name);
        user.setPassword(OWN_PASSWORD);
        identity.saveUser(user);
        for (String group : groups) {
            identity.createMembership(name, group);
        }
        return new Rest(port, name, OWN_PASSWORD);
    }

    /** A flow of a cluster in the namespace. */
    private String flow() {
        management()
                .json()
                .applyYaml(
                        """
                        apiVersion: slipway.dev/v1alpha1
                        kind: WorkloadCluster
                        metadata: {name: subject}
                        spec: {version: v1.36.3, topology: {class: no-such-class}}
                        """,
                        namespace);
        Rest admin = new Rest(port, "admin", PASSWORD);
        String cluster = "/api/v1/clusters/" + namespace + "/subject";
        return await().until(
                        () -> admin.get(cluster).json().at("/cluster/flow/id").asText(), id -> !id.isEmpty());
    }

    private String receipt() {
        String flow = UUID.randomUUID().toString();
        receipts.open(new Head(
                flow,
                "delete",
                new ClusterRef(namespace, "gone", UUID.randomUUID().toString()),
                "Full",
                "admin",
                Instant.parse("2026-01-01T00:00:00Z")));
        return flow;
    }
}
