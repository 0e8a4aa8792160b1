package dev.slipway.workitem;

import dev.slipway.cluster.WorkItemSpec;
import dev.slipway.cluster.WorkItemSpec.ItemManifests;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules that a work item itself must keep.
 *
 * <p>The custom resource's schema states the same rules. They are checked again for objects that were stored before a rule
 * existed.
 */
final class ItemRules {

    private ItemRules() {}

    /** @throws Failure INVALID {@code WorkItemInvalid} with the field */
    static void require(WorkItem item) {
        WorkItemSpec spec = item.spec();
        if (item.cluster().isEmpty()) {
            throw invalid(item, "spec.clusterRef.name", "it is empty", "Name the cluster");
        }
        if ((spec.chart() == null) == (spec.manifests() == null)) {
            throw invalid(item, "spec", "exactly one of chart and manifests is needed", "Set one of the two");
        }
        if (spec.manifests() != null) {
            manifests(item, spec.manifests());
        }
        if (spec.chart() == null && (spec.values() != null || !spec.valuesFrom().isEmpty())) {
            throw invalid(item, "spec.values", "manifests have no values", "Remove values and valuesFrom");
        }
        if (spec.timeout().isZero()) {
            throw invalid(item, "spec.timeout", "it is zero", "Give a duration like 10m");
        }
        if (spec.dependsOn().contains(item.name())) {
            throw invalid(item, "spec.dependsOn", "it names the work item itself", "Remove the name");
        }
    }

    private static void manifests(WorkItem item, ItemManifests manifests) {
        long sources = Stream.of(manifests.inline() != null, manifests.configMapRef() != null, manifests.url() != null)
                .filter(there -> there)
                .count();
        if (sources != 1) {
            throw invalid(
                    item, "spec.manifests", "exactly one of inline, configMapRef and url is needed", "Set one of them");
        }
        if (manifests.url() != null && !manifests.url().startsWith("https://")) {
            throw invalid(item, "spec.manifests.url", "it does not start with https://", "Use an https:// URL");
        }
        if (manifests.url() != null && manifests.sha256() == null) {
            throw invalid(item, "spec.manifests.sha256", "it is missing", "Give the file's SHA-256 in hex");
        }
    }

    private static Failure invalid(WorkItem item, String field, String what, String action) {
        return new Failure(
                ErrorClass.INVALID,
                "WorkItemInvalid",
                item.display() + ": " + field + ": " + what,
                List.of(action),
                null,
                null);
    }
}
