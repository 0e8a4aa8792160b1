package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which kinds may be made, and finds out whether they are served.
 *
 * <p>Slipway has more rights than the author of a template. So a template may bring what a cluster is made of, and
 * nothing that grants rights, runs something on the management cluster, or reaches other namespaces.
 */
final class KindRules {

    private static final Set<String> CORE = Set.of("ConfigMap", "Secret");
    private static final String TOKEN_SECRET = "kubernetes.io/service-account-token";

    private final LiveReader reader;
    private final Findings findings;

    KindRules(LiveReader reader, Findings findings) {
        this.reader = reader;
        this.findings = findings;
    }

    /** How the kind of a document is served, in the document's version; empty if it may not or cannot be made. */
    Optional<ResourceType> served(KubeObject document, String field) {
        String group = ObjectRef.groupOf(document.apiVersion());
        String version = document.apiVersion().substring(document.apiVersion().indexOf('/') + 1);
        if (!allowed(group, document)) {
            findings.problem(
                    "KindForbidden",
                    field,
                    document.apiVersion() + " " + document.kind() + " is nothing that a cluster is made of",
                    "Remove it from the template and apply it yourself");
            return Optional.empty();
        }
        Optional<ResourceType> type = find(new ObjectRef(group, document.kind(), ""), field);
        if (type.isPresent() && !type.get().namespaced()) {
            findings.problem(
                    "KindForbidden",
                    field,
                    document.kind() + " is not namespaced, a template reaches its own namespace only",
                    "Remove it from the template and apply it yourself");
            return Optional.empty();
        }
        return type.map(t -> new ResourceType(t.group(), version, t.plural(), t.kind(), t.namespaced()));
    }

    /** Looks for references in a document, at any depth, whose kinds are not served. */
    void references(JsonNode node, String field) {
        node.properties().forEach(entry -> {
            String key = entry.getKey();
            JsonNode value = entry.getValue();
            boolean reference = key.equals("ref") || key.endsWith("Ref");
            if (reference && (value.hasNonNull("apiGroup") || value.hasNonNull("apiVersion"))) {
                ObjectRef.of(value).ifPresent(ref -> find(ref, field + ", " + key));
            }
            references(value, field);
        });
        if (node.isArray()) {
            node.forEach(item -> references(item, field));
        }
    }

    private Optional<ResourceType> find(ObjectRef ref, String field) {
        Optional<ResourceType> type = reader.find(ref.group(), ref.kind());
        if (type.isEmpty()) {
            findings.problem(
                    "KindAbsent",
                    field,
                    "the management cluster does not serve " + ref.qualifiedKind(),
                    "Install the provider that brings " + ref.qualifiedKind() + ", or correct apiVersion and kind");
        }
        return type;
    }

    private static boolean allowed(String group, KubeObject document) {
        if (group.isEmpty()) {
            // A token secret would hand out the rights of any ServiceAccount of the namespace.
            return CORE.contains(document.kind())
                    && !TOKEN_SECRET.equals(document.at("type").asText());
        }
        boolean builtIn = !group.contains(".") || (group.endsWith(".k8s.io") && !group.endsWith(".x-k8s.io"));
        return !builtIn && !group.equals(ResourceType.WORKLOAD_CLUSTERS.group());
    }
}
