package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The machine-readable description, and the copy of it in docs. */
class ApiDescriptionIT extends WholeApplication {

    private static final Path COPY = Path.of("docs", "openapi.json");
    private static final String AGAIN = "the API or its description changed: run ./mvnw -q -DskipWeb verify -Dtest=NONE"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=ApiDescriptionIT -Dslipway.regenerate=true";

    private final ObjectMapper json = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void isTheOneThatStandsInDocs() throws IOException {
        // when
        String now = json.writeValueAsString(json.treeToValue(description(), TreeMap.class)) + "\n";

        // then
        if (Boolean.getBoolean("slipway.regenerate")) {
            Files.writeString(COPY, now);
        }
        assertThat(COPY).as(AGAIN).exists();
        assertThat(now).as(AGAIN).isEqualTo(Files.readString(COPY));
    }

    @Test
    void saysOfEachOperationWhatItTakesAndAnswersWithExamples() {
        // given
        Set<String> ids = new HashSet<>();

        // then
        for (Map.Entry<String, JsonNode> path : description().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                String where = method.getKey() + " " + path.getKey();
                JsonNode operation = method.getValue();
                assertThat(ids.add(operation.path("operationId").asText()))
                        .as(where)
                        .isTrue();
                assertThat(operation.path("operationId").asText()).as(where).doesNotContain("_");
                assertThat(operation.path("summary").asText()).as(where).isNotEmpty();
                assertThat(operation.path("responses").has("401")).as(where).isTrue();
                operation.path("responses").properties().forEach(answer -> {
                    boolean problem = answer.getKey().compareTo("400") >= 0;
                    answer.getValue().path("content").properties().forEach(content -> {
                        assertThat(content.getKey().equals("application/problem+json"))
                                .as(where + " " + answer.getKey())
                                .isEqualTo(problem);
                        if (content.getKey().equals("application/json")) {
                            assertThat(hasExample(content.getValue())).as(where).isTrue();
                        }
                    });
                });
                operation.path("requestBody").path("content").forEach(content -> assertThat(hasExample(content))
                        .as(where)
                        .isTrue());
                if (method.getKey().equals("post") && !path.getKey().endsWith("/session")) {
                    assertThat(operation.path("parameters").findValuesAsText("name"))
                            .as(where)
                            .contains("Idempotency-Key");
                }
            }
        }
        assertThat(ids).contains("listClusters", "createCluster", "listen", "getStatistics", "listAudit");
    }

    @Test
    void hasAPageThatNeedsNoScriptsButItsOwn() {
        // when
        Rest.Answer page = rest.get("/swagger-ui/index.html");

        // then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy")).doesNotContain("unsafe-inline");
        assertThat(page.response().body()).doesNotContain("<script>", "<style>");
    }

    private static boolean hasExample(JsonNode content) {
        return content.has("example") || content.has("examples");
    }

    private JsonNode description() {
        return rest.get("/v3/api-docs").json();
    }
}
