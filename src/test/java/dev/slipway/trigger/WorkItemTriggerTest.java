package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is woken when the flow of a work item has changed; nothing is asked or started here. */
class WorkItemTriggerTest {

    private final ManualWorkers workers = new ManualWorkers();
    private final List<String> woken = new ArrayList<>();
    private final WorkItemTrigger trigger = new WorkItemTrigger(
            () -> {
                throw new AssertionError("flows are not asked");
            },
            null,
            new WorkItemTrigger.Scope(List.of(""), item -> {}, (namespace, name) -> woken.add(namespace + "/" + name)),
            workers,
            workers);

    @Test
    void wakesTheClusterAndWhatDependsOnTheWorkItem() {
        // given
        trigger.itemSeen(item("demo", "network", "1", ""));
        trigger.itemSeen(item("demo", "ingress", "2", "network"));
        trigger.itemSeen(item("other", "ingress", "3", "network"));

        // when
        trigger.changed(new ClusterRef("demo", "network", "1"));

        // then
        assertThat(woken).containsExactlyInAnyOrder("demo/c1", "demo/ingress");
    }

    @Test
    void isNotConcernedByTheFlowsOfClusters() {
        // given
        trigger.itemSeen(item("demo", "network", "1", ""));

        // when
        trigger.changed(new ClusterRef("demo", "c1", "99"));

        // then
        assertThat(woken).isEmpty();
    }

    private static KubeObject item(String namespace, String name, String uid, String dependsOn) {
        return new KubeObject(JsonApi.parse(
                """
                {"metadata": {"namespace": "%s", "name": "%s", "uid": "%s"},
                 "spec": {"clusterRef": {"name": "c1"}, "dependsOn": [%s]}}"""
                        .formatted(namespace, name, uid, dependsOn.isEmpty() ? "" : '"' + dependsOn + '"')));
    }
}
