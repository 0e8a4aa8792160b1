package dev.slipway.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Deployments by REST, as Camunda Modeler makes them, pass the lint or are refused whole. */
class DiagramGateIT extends WholeApplication {

    private static final String BOUNDARY = "a-line-between-parts";

    @LocalServerPort
    private int port;

    private Rest rest;

    @BeforeEach
    void signIn() {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void refusesADiagramThatCouldRunCode() throws IOException {
        // given
        String diagram = Files.readString(Path.of("bpmn/cluster-init.bpmn"))
                .replace("${dryRun == 'true'}", "${''.getClass().forName('java.lang.Runtime') != null}");

        // when
        Answer answer = deploy("cluster-init.bpmn", diagram);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("message").asText())
                .contains("is refused")
                .contains("flow_");
        assertThat(versions()).isEqualTo(1);
    }

    @Test
    void refusesFilesOtherThanDiagrams() {
        // when
        Answer answer = deploy("run.groovy", "println 1");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("message").asText()).contains("run.groovy");
    }

    private long versions() {
        return rest.get("/engine-rest/process-definition/count?key=cluster-init")
                .json()
                .path("count")
                .asLong();
    }

    private Answer deploy(String file, String content) {
        String body = "--" + BOUNDARY
                + "\r\nContent-Disposition: form-data; name=\"deployment-name\"\r\n\r\nby hand\r\n"
                + "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file
                + "\"\r\nContent-Type: application/octet-stream\r\n\r\n" + content + "\r\n--" + BOUNDARY + "--\r\n";
        return rest.send(rest.request("/engine-rest/deployment/create")
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }
}
