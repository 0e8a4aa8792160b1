package dev.slipway.trigger;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.LabelSelector;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformSettings;
import dev.slipway.queue.ManualWorkers;
import java.util.List;

/** Triggers of imports for tests of other packages. */
public final class ImportTriggers {

    private ImportTriggers() {}

    /** One that starts nothing by itself, and tells imports of Clusters that go. */
    public static ImportTrigger watching(Flows flows, KubeClient client, String namespace, ManualWorkers workers) {
        PlatformApi platform = new PlatformApi(client, client, new PlatformSettings(PlatformSettings.Api.AUTO));
        return new ImportTrigger(
                flows,
                new ClusterApi(client),
                List.of(namespace),
                new ImportTrigger.Policy(false, LabelSelector.parse(""), new PlatformPresence(platform)),
                new ImportTrigger.Starts(new ImportStarts(flows, workers), DeletionTriggers.of(flows, client, workers)),
                imported -> {},
                workers,
                workers);
    }
}
