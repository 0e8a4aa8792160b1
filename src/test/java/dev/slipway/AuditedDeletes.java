package dev.slipway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.JsonApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What an API server was asked to delete since a moment, by its audit log. */
final class AuditedDeletes {

    private static final String CLUSTER_API = "cluster.x-k8s.io";

    private final Path log;
    private final long before;

    private AuditedDeletes(Path log, long before) {
        this.log = log;
        this.before = before;
    }

    /** Begins now. */
    static AuditedDeletes from(Path log) {
        return new AuditedDeletes(log, lines(log).size());
    }

    /** Of Cluster API and its providers: {@code <resource>.<group>/<name>}, whoever asked. */
    List<String> ofClusterApi() {
        return asked().filter(object -> {
                    String group = object.path("apiGroup").asText();
                    return group.equals(CLUSTER_API) || group.endsWith("." + CLUSTER_API);
                })
                .map(AuditedDeletes::display)
                .toList();
    }

    /** Of the platform, in order. */
    List<String> ofPlatform() {
        return asked().filter(object -> object.path("apiGroup").asText().equals("platform.tkestack.io"))
                .map(object -> object.path("name").asText())
                .toList();
    }

    private Stream<JsonNode> asked() {
        return lines(log).stream().skip(before).map(line -> JsonApi.parse(line).path("objectRef"));
    }

    private static String display(JsonNode object) {
        return object.path("resource").asText() + "." + object.path("apiGroup").asText() + "/"
                + object.path("name").asText();
    }

    private static List<String> lines(Path log) {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
