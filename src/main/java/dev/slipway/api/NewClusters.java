package dev.slipway.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditEntry;
import dev.slipway.cluster.Admission;
import dev.slipway.cluster.Findings;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.ObjectCheck;
import dev.slipway.kubernetes.ObjectCheck.Checked;
import dev.slipway.kubernetes.ObjectCheck.Wrong;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Creates WorkloadClusters for people, once nothing is against it.
 *
 * <p>The API server goes through it first: schema, rules, webhooks. Then the same checks as in the phase Admission, on the object
 * with its defaults.
 */
@Component
class NewClusters {

    private static final Set<String> METADATA = Set.of("namespace", "name", "labels", "annotations");
    private static final Set<String> PARTS = Set.of("apiVersion", "kind", "metadata", "spec");

    private final ObjectCheck check;
    private final KubeWriter writer;
    private final Admission admission;
    private final AuditBook audit;
    private final List<String> namespaces;

    NewClusters(
            ObjectCheck check,
            KubeWriter writer,
            Admission admission,
            AuditBook audit,
            KubernetesProperties kubernetes) {
        this.check = check;
        this.writer = writer;
        this.admission = admission;
        this.audit = audit;
        this.namespaces = kubernetes.namespaces();
    }

    /**
     * Finds what is against it.
     *
     * @return the object with its defaults
     * @throws ApiProblem 422 with all that is wrong; 409 if there is one of that name
     */
    KubeObject validated(KubeObject wanted) {
        requireShape(wanted);
        if (!namespaces.isEmpty() && !namespaces.contains(wanted.namespace())) {
            throw invalid(
                    wanted,
                    List.of(new FieldProblem(
                            "metadata.namespace",
                            "NamespaceNotServed",
                            "Slipway does not look after the namespace " + wanted.namespace(),
                            "Use one of " + String.join(", ", namespaces))));
        }
        Checked checked = check.check(ResourceType.WORKLOAD_CLUSTERS, wanted);
        if (checked.exists()) {
            throw exists(wanted);
        }
        KubeObject object = checked.object();
        if (object == null) {
            throw invalid(wanted, checked.wrong().stream().map(FieldProblem::of).toList());
        }
        WorkloadCluster cluster;
        try {
            cluster = WorkloadCluster.of(object);
        } catch (Failure e) {
            if (e.errorClass() != ErrorClass.INVALID) {
                throw e;
            }
            throw invalid(wanted, List.of(FieldProblem.of(e)));
        }
        Findings findings = admission.check(cluster);
        if (findings.refused()) {
            throw invalid(
                    wanted, findings.problems().stream().map(FieldProblem::of).toList());
        }
        return shown(object);
    }

    /**
     * Creates it.
     *
     * @throws ApiProblem as {@link #validated}
     */
    KubeObject create(KubeObject wanted, String user) {
        validated(wanted);
        KubeObject created = writer.create(ResourceType.WORKLOAD_CLUSTERS, wanted)
                .map(NewClusters::shown)
                .orElseThrow(() -> exists(wanted));
        audit.note(AuditEntry.of(AuditAction.CREATE, user, null)
                .about(AuditEntry.Subject.of("WorkloadCluster", created.namespace(), created.name())));
        return created;
    }

    private static void requireShape(KubeObject wanted) {
        ResourceType type = ResourceType.WORKLOAD_CLUSTERS;
        if (!type.kind().equals(wanted.kind()) || !type.apiVersion().equals(wanted.apiVersion())) {
            throw field(
                    "kind",
                    "It is no " + type.kind() + " of " + type.apiVersion(),
                    "Begin with apiVersion: " + type.apiVersion() + " and kind: " + type.kind());
        }
        for (String part : new String[] {"namespace", "name"}) {
            if (!wanted.at("metadata", part).isTextual()
                    || wanted.text("metadata", part).isEmpty()) {
                throw field("metadata." + part, "The field metadata." + part + " is missing, or no text", "Name it");
            }
        }
        unknown(wanted.json(), PARTS, "");
        unknown((ObjectNode) wanted.at("metadata"), METADATA, "metadata.");
    }

    /** What only the server, controllers or others may say is not taken from people here. */
    private static void unknown(ObjectNode node, Set<String> known, String prefix) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw field(
                        prefix + name,
                        "The field " + prefix + name + " cannot be given here",
                        "Leave it out; known" + " fields: " + String.join(", ", new TreeSet<>(known)));
            }
        });
    }

    /** Without what nobody reads. */
    private static KubeObject shown(KubeObject object) {
        ObjectNode json = object.json().deepCopy();
        json.withObjectProperty("metadata").remove("managedFields");
        return new KubeObject(json);
    }

    private static ApiProblem field(String field, String what, String remedy) {
        return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", what)
                .field(field)
                .remedy(remedy);
    }

    private static ApiProblem exists(KubeObject wanted) {
        String display = wanted.namespace() + "/" + wanted.name();
        return new ApiProblem(HttpStatus.CONFLICT, "ClusterExists", "There is a WorkloadCluster " + display)
                .object(display)
                .field("metadata.name")
                .remedy("Choose another name, or see GET /api/v1/clusters/" + display);
    }

    private static ApiProblem invalid(KubeObject wanted, List<FieldProblem> errors) {
        String display = wanted.namespace() + "/" + wanted.name();
        return new ApiProblem(
                        HttpStatus.UNPROCESSABLE_ENTITY,
                        "Invalid",
                        "WorkloadCluster " + display + " cannot be built as it is: "
                                + (errors.size() == 1 ? "one thing is wrong" : errors.size() + " things are wrong"))
                .object(display)
                .with("errors", errors)
                .remedy("Correct what errors names");
    }

    /**
     * One thing that is wrong.
     *
     * @param field the field's path; null if nobody names one
     * @param code UpperCamel; null if the API server says it
     * @param message what is wrong
     * @param remedy what to do; null if nobody knows
     */
    record FieldProblem(@Nullable String field, @Nullable String code, String message, @Nullable String remedy) {

        static FieldProblem of(Wrong wrong) {
            return new FieldProblem(wrong.field().isEmpty() ? null : wrong.field(), null, wrong.message(), null);
        }

        static FieldProblem of(dev.slipway.cluster.Problem problem) {
            return new FieldProblem(problem.field(), problem.code(), problem.message(), problem.remedy());
        }

        static FieldProblem of(Failure failure) {
            return new FieldProblem(null, failure.code(), failure.message(), String.join("; ", failure.actions()));
        }
    }
}
