package dev.slipway.sentry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Access;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import java.util.Locale;
import java.util.Optional;

/** The account's ClusterRole and its binding: what Slipway made is kept as configured, the rest only looked at. */
final class AccountRights {

    private static final String RBAC = "rbac.authorization.k8s.io";

    private final SentrySettings settings;

    AccountRights(SentrySettings settings) {
        this.settings = settings;
    }

    /** Brings both about; the outcome says what is in the way. */
    Optional<Outcome> ensure(ClusterRef cluster, Workload workload) {
        return role(cluster, workload).or(() -> binding(cluster, workload));
    }

    private Optional<Outcome> role(ClusterRef cluster, Workload workload) {
        String name = settings.roleName();
        Optional<KubeObject> found = workload.reader().get(ResourceType.CLUSTER_ROLES, "", name);
        if (!settings.makesRole()) {
            return found.isPresent() ? Optional.empty() : Optional.of(roleAbsent());
        }
        JsonNode rules = rules();
        if (found.isPresent() && found.get().at("rules").equals(rules)) {
            return Optional.empty();
        }
        if (found.isPresent() && !Ownership.isOurs(found.get())) {
            return Optional.of(foreign("ClusterRole", name, "it has other rules than slipway.sentry.rights"));
        }
        KubeObject wanted = KubeObject.named(ResourceType.CLUSTER_ROLES, "", name);
        wanted.json().set("rules", rules);
        workload.writer().apply(ResourceType.CLUSTER_ROLES, Ownership.mark(wanted, found, cluster));
        return Optional.empty();
    }

    private Optional<Outcome> binding(ClusterRef cluster, Workload workload) {
        Optional<KubeObject> found = readBinding(workload);
        boolean sameRole = found.isPresent() && found.get().at("roleRef").equals(roleRef());
        if (sameRole && hasSubject(found.get())) {
            return Optional.empty();
        }
        if (found.isPresent() && !Ownership.isOurs(found.get())) {
            return Optional.of(foreignBinding(found.get(), sameRole));
        }
        if (found.isPresent() && !sameRole) {
            // A roleRef cannot be changed: only another binding has another.
            delete(workload, found.get());
            if (readBinding(workload).isPresent()) {
                return Optional.of(Outcome.waiting(
                        "WaitingForBindingGone",
                        "the ClusterRoleBinding " + settings.bindingName()
                                + " was deleted to change its roleRef and is still there"));
            }
        }
        KubeObject wanted = KubeObject.named(ResourceType.CLUSTER_ROLE_BINDINGS, "", settings.bindingName());
        wanted.json().set("roleRef", roleRef());
        wanted.json().putArray("subjects").add(subject());
        workload.writer().apply(ResourceType.CLUSTER_ROLE_BINDINGS, Ownership.mark(wanted, found, cluster));
        return Optional.empty();
    }

    private Outcome foreignBinding(KubeObject binding, boolean sameRole) {
        String role = binding.text("roleRef", "kind").orElse("") + " "
                + binding.text("roleRef", "name").orElse("");
        String what = sameRole
                ? "it does not bind the " + settings.display()
                : "its roleRef is " + role + ", not ClusterRole " + settings.roleName();
        return foreign("ClusterRoleBinding", settings.bindingName(), what);
    }

    private Optional<KubeObject> readBinding(Workload workload) {
        return workload.reader().get(ResourceType.CLUSTER_ROLE_BINDINGS, "", settings.bindingName());
    }

    private static void delete(Workload workload, KubeObject binding) {
        workload.writer().delete(ResourceType.CLUSTER_ROLE_BINDINGS, "", binding.name(), binding.uid());
    }

    private boolean hasSubject(KubeObject binding) {
        for (JsonNode subject : binding.at("subjects")) {
            if (subject.equals(subject())) {
                return true;
            }
        }
        return false;
    }

    private ObjectNode roleRef() {
        return object().put("apiGroup", RBAC).put("kind", "ClusterRole").put("name", settings.roleName());
    }

    private ObjectNode subject() {
        return object().put("kind", "ServiceAccount")
                .put("name", settings.serviceAccount())
                .put("namespace", settings.namespace());
    }

    private ArrayNode rules() {
        ArrayNode rules = JsonNodeFactory.instance.arrayNode();
        for (Access right : settings.needed()) {
            ObjectNode rule = rules.addObject();
            rule.putArray("apiGroups").add(right.group());
            rule.putArray("resources").add(right.resource());
            rule.putArray("verbs").add(right.verb());
        }
        return rules;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private Outcome roleAbsent() {
        return Outcome.blocked(
                ErrorClass.INVALID,
                "ClusterRoleAbsent",
                "the workload cluster has no ClusterRole " + settings.roleName() + " to bind the " + settings.display()
                        + " to",
                "Create the ClusterRole " + settings.roleName() + " in the workload cluster.",
                "Or set slipway.sentry.cluster-role to another one, or to nothing.");
    }

    private static Outcome foreign(String kind, String name, String what) {
        String resource = kind.toLowerCase(Locale.ROOT);
        return Outcome.blocked(
                ErrorClass.IDENTITY,
                kind + "Foreign",
                "the " + kind + " " + name + " of the workload cluster was not made by Slipway: " + what,
                "Look at it: kubectl get " + resource + " '" + name + "' -o yaml",
                "If nobody needs it: kubectl delete " + resource + " '" + name + "'");
    }
}
