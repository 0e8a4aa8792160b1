package dev.slipway.workitem;

import dev.slipway.cluster.WorkItemSpec.Chart;
import dev.slipway.cluster.WorkItemSpec.ItemManifests;
import dev.slipway.helm.ChartSource;
import dev.slipway.helm.Helm;
import dev.slipway.helm.InstalledRelease;
import dev.slipway.helm.ManifestInstaller;
import dev.slipway.helm.ObjectId;
import dev.slipway.helm.Plan;
import dev.slipway.helm.Progress;
import dev.slipway.helm.Readiness;
import dev.slipway.helm.ReadinessProbe;
import dev.slipway.helm.ReleaseObject;
import dev.slipway.helm.ReleaseTarget;
import dev.slipway.helm.Values;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.workitem.ItemClusters.Opened;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What work items are on their clusters: releases of Helm, or plain manifests; for phases both are the same. */
@Component
public class ItemReleases {

    private final Helm helm;
    private final ItemInputs inputs;

    public ItemReleases(Helm helm, ItemInputs inputs) {
        this.helm = helm;
        this.inputs = inputs;
    }

    /**
     * The exact version of the item's chart, as its repository has it now.
     *
     * @return empty for manifests
     */
    public String resolve(WorkItem item) {
        Chart chart = item.spec().chart();
        if (chart == null) {
            return "";
        }
        ChartSource source = inputs.chart(item, chart);
        return source.exact()
                ? source.version()
                : helm.releases().resolve(source).version();
    }

    /** Says what an installation would change; changes nothing. */
    public Plan plan(WorkItem item, Opened cluster, String version) {
        ReleaseTarget target = target(ItemRelease.of(item), cluster);
        Chart chart = item.spec().chart();
        return chart != null
                ? helm.releases().plan(target, source(item, chart, version), inputs.values(item))
                : new ManifestInstaller(cluster.workload())
                        .plan(target.release(), ItemInputs.origin(item), manifests(item));
    }

    /** Installs, upgrades, or repairs what is not as wanted. */
    public Progress install(WorkItem item, Opened cluster, String version) {
        ReleaseTarget target = target(ItemRelease.of(item), cluster);
        Chart chart = item.spec().chart();
        if (chart == null) {
            return new ManifestInstaller(cluster.workload())
                    .apply(target.release(), ItemInputs.origin(item), manifests(item));
        }
        ChartSource source = source(item, chart, version);
        Values values = inputs.values(item);
        Progress progress = helm.releases().install(target, source, values);
        boolean whole = !(progress instanceof Progress.Done)
                || helm.releases().absent(target).isEmpty();
        return whole ? progress : helm.releases().repair(target, source, values);
    }

    /** What of it is not ready, each with why; empty if nothing is installed as well. */
    public Map<ObjectId, Readiness> notReady(ItemRelease release, Opened cluster) {
        ReadinessProbe probe = new ReadinessProbe(cluster.workload().reader());
        return probe.notReady(objects(release, cluster).stream()
                .map(ReleaseObject::id)
                .filter(id -> !passed(probe, id))
                .toList());
    }

    /** Whether anything of it is installed. */
    public boolean isInstalled(ItemRelease release, Opened cluster) {
        return release.isChart()
                ? found(release, cluster).isPresent()
                : !objects(release, cluster).isEmpty();
    }

    /** Helm's record of it; empty for manifests. */
    public Optional<InstalledRelease> found(ItemRelease release, Opened cluster) {
        return release.isChart() ? helm.releases().find(target(release, cluster)) : Optional.empty();
    }

    /** Its objects, and which of them an uninstallation leaves. */
    public List<ReleaseObject> objects(ItemRelease release, Opened cluster) {
        if (release.isChart()) {
            return helm.releases().objects(target(release, cluster));
        }
        return new ManifestInstaller(cluster.workload()).objects(release.name());
    }

    /** What is not as declared; nothing is changed. */
    public List<String> drift(WorkItem item, Opened cluster) {
        ReleaseTarget target = target(ItemRelease.of(item), cluster);
        Chart chart = item.spec().chart();
        if (chart != null) {
            return helm.releases().drift(target, inputs.chart(item, chart), inputs.values(item));
        }
        Plan plan = new ManifestInstaller(cluster.workload())
                .plan(target.release(), ItemInputs.origin(item), manifests(item));
        return PlanText.lines(plan);
    }

    /** Whether it may be removed: what Slipway did not install stays. */
    public boolean isOurs(ItemRelease release, Opened cluster) {
        return !release.isChart() || helm.releases().isOurs(target(release, cluster), release.chart());
    }

    /** Removes it; what is not there is fine. */
    public Progress uninstall(ItemRelease release, Opened cluster) {
        return release.isChart()
                ? helm.releases().uninstall(target(release, cluster))
                : new ManifestInstaller(cluster.workload()).delete(release.name());
    }

    private static boolean passed(ReadinessProbe probe, ObjectId id) {
        // Helm made it, so it was there: a Job or Pod that is gone has done its work.
        return (id.kind().equals("Job") || id.kind().equals("Pod"))
                && probe.find(id).isEmpty();
    }

    private String manifests(WorkItem item) {
        ItemManifests manifests = item.spec().manifests();
        if (manifests == null) {
            throw Failure.of(
                    ErrorClass.INVALID, "WorkItemInvalid", item.display() + " has neither a chart nor manifests");
        }
        return inputs.manifests(item, manifests);
    }

    private ChartSource source(WorkItem item, Chart chart, String version) {
        return inputs.chart(item, chart).at(version);
    }

    private static ReleaseTarget target(ItemRelease release, Opened cluster) {
        return new ReleaseTarget(cluster.uid(), cluster.workload(), release.name());
    }
}
