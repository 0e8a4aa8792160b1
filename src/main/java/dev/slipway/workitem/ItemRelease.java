package dev.slipway.workitem;

import dev.slipway.helm.ReleaseName;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Failure;
import dev.slipway.phase.PhaseContext;
import java.util.Map;
import java.util.Optional;

/**
 * What a work item is in its workload cluster: all that its removal must know, also when the object is gone.
 *
 * @param cluster the name of the cluster, in the work item's namespace
 * @param name where it is and what it is called there
 * @param chart the chart's name; empty for manifests
 */
public record ItemRelease(String cluster, ReleaseName name, String chart) {

    private static final String CLUSTER = "item.cluster";
    private static final String NAMESPACE = "item.namespace";
    private static final String RELEASE = "item.release";
    private static final String CHART = "item.chart";

    /**
     * The release of a work item.
     *
     * @throws dev.slipway.phase.Failure INVALID {@code NameInvalid}
     */
    public static ItemRelease of(WorkItem item) {
        return of(item.object());
    }

    /** The same of an object whose other fields may be unreadable. */
    public static ItemRelease of(KubeObject object) {
        ReleaseName name = new ReleaseName(
                object.text("spec", "namespace").orElse("default"),
                object.text("spec", "releaseName").orElse(object.name()));
        return new ItemRelease(
                object.text("spec", "clusterRef", "name").orElse(""),
                name,
                object.text("spec", "chart", "name").orElse(""));
    }

    /** The same, if it can have one at all. */
    public static Optional<ItemRelease> possible(KubeObject object) {
        try {
            return Optional.of(of(object)).filter(release -> !release.cluster().isEmpty());
        } catch (Failure unnameable) {
            // Nothing can have been installed under such a name.
            return Optional.empty();
        }
    }

    /** What a flow recorded; empty if nothing. */
    public static Optional<ItemRelease> recorded(PhaseContext context) {
        return context.fact(RELEASE)
                .map(name -> new ItemRelease(
                        context.fact(CLUSTER).orElse(""),
                        new ReleaseName(context.fact(NAMESPACE).orElse("default"), name),
                        context.fact(CHART).orElse("")));
    }

    /** As facts of a flow. */
    public Map<String, String> facts() {
        return Map.of(CLUSTER, cluster, NAMESPACE, name.namespace(), RELEASE, name.name(), CHART, chart);
    }

    public boolean isChart() {
        return !chart.isEmpty();
    }

    /** Whether both would be the same in the same cluster. */
    boolean collidesWith(ItemRelease other) {
        return cluster.equals(other.cluster) && name.equals(other.name) && isChart() == other.isChart();
    }

    /** For messages: {@code the release team/web in cluster prod}. */
    public String display() {
        return (isChart() ? "the release " : "the manifests ") + name.display() + " in cluster " + cluster;
    }

    /** How receipts name it. */
    public String receipt() {
        return (isChart() ? "Release " : "Manifests ") + name.display();
    }
}
