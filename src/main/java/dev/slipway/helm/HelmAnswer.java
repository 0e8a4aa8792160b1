package dev.slipway.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.slipway.helm.worker.Frames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What Helm's process left behind.
 *
 * @param stage how far it came: {@code repository} or {@code release}; empty if it died
 * @param output Helm's output; may hold secrets
 * @param error Helm's error as it stands, empty if there was none; may hold secrets
 * @param charts the names in the repository's index, if the chart was not among them
 * @param versions the chart's versions in the repository's index, newest first, if the wanted one was not among them
 */
record HelmAnswer(String stage, String output, String error, List<String> charts, List<String> versions) {

    private static final int MOST = 10;
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    boolean ok() {
        return error.isEmpty() && !output.isEmpty();
    }

    /** Reads the answer out of the process's folder. */
    static HelmAnswer in(Path folder, HelmCall call) throws IOException {
        Path file = folder.resolve("answer");
        if (!Files.exists(file)) {
            return new HelmAnswer("", "", "", List.of(), List.of());
        }
        try (InputStream in = Files.newInputStream(file)) {
            Map<String, String> texts = Frames.read(in);
            String error = texts.getOrDefault("error", "");
            String chart = call.request().getOrDefault("chart", "");
            JsonNode entries = HelmErrors.chartAbsent(error) ? entries(folder) : YAML.nullNode();
            List<String> charts = new ArrayList<>();
            if (!entries.has(chart)) {
                entries.fieldNames().forEachRemaining(charts::add);
            }
            List<String> versions = new ArrayList<>();
            entries.path(chart)
                    .forEach(entry -> versions.add(entry.path("version").asText()));
            return new HelmAnswer(
                    texts.getOrDefault("stage", ""),
                    texts.getOrDefault("output", ""),
                    error,
                    charts.stream().limit(MOST).toList(),
                    versions.stream().limit(MOST).toList());
        }
    }

    @Override
    public String toString() {
        return "HelmAnswer " + stage + (ok() ? " ok" : " failed");
    }

    private static JsonNode entries(Path folder) throws IOException {
        Path index = folder.resolve("cache/repository/repository-index.yaml");
        return Files.exists(index) ? YAML.readTree(index.toFile()).path("entries") : YAML.nullNode();
    }
}
