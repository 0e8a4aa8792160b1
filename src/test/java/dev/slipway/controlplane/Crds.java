package dev.slipway.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Installs CustomResourceDefinitions from the class path and waits until they are served. */
final class Crds {

    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final JsonApi api;

    Crds(JsonApi api) {
        this.api = api;
    }

    /** Installs every CRD of the files that match, for example {@code classpath*:crds/**}{@code /*.yaml}. */
    void install(String pattern) {
        List<ObjectNode> installed = new ArrayList<>();
        for (String yaml : texts(pattern)) {
            for (ObjectNode crd : JsonApi.parseYaml(yaml)) {
                api.apply(PATH + name(crd), crd);
                installed.add(crd);
            }
        }
        installed.forEach(this::awaitServed);
    }

    private static List<String> texts(String pattern) {
        try {
            List<String> texts = new ArrayList<>();
            for (Resource resource : new PathMatchingResourcePatternResolver().getResources(pattern)) {
                texts.add(resource.getContentAsString(StandardCharsets.UTF_8));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + pattern, e);
        }
    }

    private void awaitServed(ObjectNode crd) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!served(crd)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The CRD " + name(crd) + " is not served after " + DEADLINE + ": "
                        + api.get(PATH + name(crd))
                                .map(o -> o.path("status").path("conditions"))
                                .orElse(null));
            }
            Pause.of(Duration.ofMillis(50));
        }
    }

    /** Established comes a moment before the paths answer: so ask both. */
    private boolean served(ObjectNode crd) {
        boolean established = api.get(PATH + name(crd)).stream()
                .flatMap(stored -> elements(stored.path("status").path("conditions")).stream())
                .anyMatch(c -> "Established".equals(c.path("type").asText())
                        && "True".equals(c.path("status").asText()));
        if (!established) {
            return false;
        }
        JsonNode spec = crd.path("spec");
        return elements(spec.path("versions")).stream()
                .filter(version -> version.path("served").asBoolean())
                .allMatch(version -> api.get("/apis/%s/%s/%s?limit=1"
                                .formatted(
                                        spec.path("group").asText(),
                                        version.path("name").asText(),
                                        spec.path("names").path("plural").asText()))
                        .isPresent());
    }

    private static List<JsonNode> elements(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }

    private static String name(JsonNode crd) {
        return crd.path("metadata").path("name").asText();
    }
}
