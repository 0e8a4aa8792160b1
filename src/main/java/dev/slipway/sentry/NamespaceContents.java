package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What others have in the account's namespace: of every kind that the workload cluster serves. */
final class NamespaceContents {

    private static final int SHOWN = 5;
    /** Groups of every Kubernetes that hold what runs; those of definitions come on top. */
    private static final List<String> GROUPS =
            List.of("", "apps", "batch", "networking.k8s.io", "autoscaling", "policy", "rbac.authorization.k8s.io");
    /** What controllers put into each namespace, or tell about it. */
    private static final Set<String> INCIDENTAL =
            Set.of("ConfigMap kube-root-ca.crt", "ServiceAccount default", "ConfigMap openshift-service-ca.crt");

    private final SentrySettings settings;

    NamespaceContents(SentrySettings settings) {
        this.settings = settings;
    }

    /** The first few that are not of the account itself; none if the namespace is as good as empty. */
    List<String> others(Workload workload) {
        LiveReader reader = workload.reader();
        Set<String> groups = new LinkedHashSet<>(GROUPS);
        reader.list(ResourceType.CUSTOM_RESOURCE_DEFINITIONS, "", Map.of())
                .forEach(definition -> definition.text("spec", "group").ifPresent(groups::add));
        List<String> others = new ArrayList<>();
        for (String group : groups) {
            for (ResourceType type : reader.kinds(group)) {
                if (type.namespaced() && !type.kind().equals("Event") && others.size() < SHOWN) {
                    reader.list(type, settings.namespace(), Map.of()).stream()
                            .filter(object -> !incidental(object))
                            .limit(SHOWN)
                            .forEach(object -> others.add(object.kind() + " " + object.name()));
                }
            }
        }
        return others;
    }

    private boolean incidental(KubeObject object) {
        boolean ofDefault = object.kind().equals("Secret")
                && "default".equals(object.annotations().get("kubernetes.io/service-account.name"));
        return ofDefault || object.deleting() || INCIDENTAL.contains(object.kind() + " " + object.name());
    }
}
