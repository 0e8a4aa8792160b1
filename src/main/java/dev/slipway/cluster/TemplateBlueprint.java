package dev.slipway.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.WorkloadClusterSpec.TemplateRef;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns a ConfigMap with manifests into the objects of one cluster.
 *
 * <ul>
 *   <li>the ConfigMap and its key are there; all variables have a value or a default
 *   <li>it is YAML, within limits, and each document names what it is
 *   <li>exactly one Cluster, with the name of the WorkloadCluster; every object in its namespace
 *   <li>only kinds that a cluster is made of, see {@link KindRules}
 * </ul>
 */
final class TemplateBlueprint {

    private final WorkloadCluster cluster;
    private final TemplateRef template;
    private final LiveReader reader;
    private final Findings findings;

    TemplateBlueprint(WorkloadCluster cluster, TemplateRef template, LiveReader reader, Findings findings) {
        this.cluster = cluster;
        this.template = template;
        this.reader = reader;
        this.findings = findings;
    }

    /** The objects in the order of the documents; those with problems are left out and reported. */
    List<Planned> objects() {
        Optional<String> text = text();
        return text.isEmpty()
                ? List.of()
                : text.flatMap(this::render).map(this::plan).orElse(List.of());
    }

    private Optional<String> text() {
        Optional<KubeObject> map = reader.get(ResourceType.CONFIG_MAPS, cluster.namespace(), template.name());
        if (map.isEmpty()) {
            findings.problem(
                    "TemplateAbsent",
                    "spec.templateRef.name",
                    "there is no ConfigMap " + cluster.namespace() + "/" + template.name(),
                    "Create the ConfigMap, or name another one of the same namespace");
            return Optional.empty();
        }
        Map<String, String> keys = new TreeMap<>();
        map.get()
                .at("data")
                .properties()
                .forEach(e -> keys.put(e.getKey(), e.getValue().asText()));
        if (!keys.containsKey(template.key())) {
            findings.problem(
                    "TemplateAbsent",
                    "spec.templateRef.key",
                    "the ConfigMap " + template.name() + " has no key '" + template.key() + "'; it has "
                            + keys.keySet(),
                    "Name one of the keys that it has");
            return Optional.empty();
        }
        return Optional.ofNullable(keys.get(template.key()));
    }

    private Optional<List<KubeObject>> render(String text) {
        TemplateText.Rendered rendered = TemplateText.render(text, values());
        for (String error : rendered.errors()) {
            findings.problem("TemplateInvalid", where(), error, "Write it as clusterctl does: ${NAME:=default}");
        }
        for (String name : rendered.missing()) {
            findings.problem(
                    "VariableMissing",
                    "spec.templateRef.variables." + name,
                    "the template needs it and has no default",
                    "Give each missing variable a value, or a default in the template: ${NAME:=default}");
        }
        Set<String> unused = new TreeSet<>(template.variables().keySet());
        unused.removeAll(rendered.used());
        if (!unused.isEmpty()) {
            findings.warning("the template does not use the variables " + unused);
        }
        if (!rendered.errors().isEmpty() || !rendered.missing().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Manifests.read(rendered.text()));
        } catch (Manifests.Unreadable e) {
            findings.problem(
                    "TemplateInvalid",
                    where(),
                    String.valueOf(e.getMessage()),
                    "Correct the template in the ConfigMap");
            return Optional.empty();
        }
    }

    private Map<String, String> values() {
        Map<String, String> values = new TreeMap<>(template.variables());
        Map<String, String> given = Map.of(
                "CLUSTER_NAME",
                cluster.name(),
                "NAMESPACE",
                cluster.namespace(),
                "KUBERNETES_VERSION",
                cluster.spec().version());
        given.forEach((name, value) -> {
            String other = values.put(name, value);
            if (other != null && !other.equals(value)) {
                findings.problem(
                        "VariableReserved",
                        "spec.templateRef.variables." + name,
                        "'" + other + "' differs from '" + value + "', which the WorkloadCluster itself says",
                        "Remove the variable: Slipway gives CLUSTER_NAME, NAMESPACE and KUBERNETES_VERSION");
            }
        });
        return values;
    }

    private List<Planned> plan(List<KubeObject> documents) {
        List<Planned> planned = new ArrayList<>();
        KindRules kinds = new KindRules(reader, findings);
        Set<String> seen = new HashSet<>();
        for (KubeObject document : documents) {
            String field = where() + ", " + document.kind() + " " + document.name();
            namespace(document, field);
            if (!seen.add(document.apiVersion() + "/" + document.kind() + "/" + document.name())) {
                problem(field, "it is there twice", "Give each object its own name");
            }
            kinds.served(document, field).ifPresent(type -> planned.add(new Planned(type, document)));
            kinds.references(document.json(), field);
            HostNames.check(document.json(), field, findings);
        }
        oneCluster(documents);
        return planned;
    }

    private void namespace(KubeObject document, String field) {
        if (!document.namespace().isEmpty() && !document.namespace().equals(cluster.namespace())) {
            problem(
                    field + ", metadata.namespace",
                    "'" + document.namespace() + "' is not the namespace of the WorkloadCluster, '"
                            + cluster.namespace() + "'",
                    "Leave the namespace out, or write ${NAMESPACE}");
        }
        if (document.json().path("metadata").hasNonNull("ownerReferences")) {
            problem(field + ", metadata.ownerReferences", "they are set by Slipway", "Remove ownerReferences");
        }
    }

    private void oneCluster(List<KubeObject> documents) {
        List<KubeObject> clusters =
                documents.stream().filter(Planned::isCluster).toList();
        if (clusters.size() != 1) {
            problem(
                    where(),
                    "it has " + clusters.size() + " objects of the kind Cluster",
                    "Write exactly one Cluster of cluster.x-k8s.io, named ${CLUSTER_NAME}");
            return;
        }
        KubeObject only = clusters.get(0);
        if (!only.name().equals(cluster.name())) {
            problem(
                    where() + ", Cluster, metadata.name",
                    "'" + only.name() + "' is not the name of the WorkloadCluster, '" + cluster.name() + "'",
                    "Name the Cluster ${CLUSTER_NAME}");
        }
        ObjectNode spec = only.json().withObjectProperty("spec");
        ClusterFields.merge(cluster.spec(), spec, where(), findings);
        SpecRules.network(where() + ", Cluster, spec.clusterNetwork", SpecReader.network(only), findings);
    }

    private void problem(String field, String message, String remedy) {
        findings.problem("TemplateInvalid", field, message, remedy);
    }

    private String where() {
        return "ConfigMap " + template.name() + "/" + template.key();
    }
}
