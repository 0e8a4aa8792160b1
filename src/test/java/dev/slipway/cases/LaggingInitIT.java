package dev.slipway.cases;

import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.faults.ApiCall;
import dev.slipway.faults.FaultKind;
import dev.slipway.faults.Recording;
import dev.slipway.kernel.PhaseState;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1: init while what was just written is not to be read yet, and while writing the status meets conflicts. */
@Tag("S1")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaggingInitIT extends InitCase {

    private static final Duration LAG = Duration.ofSeconds(3);
    private static final int CONFLICTS = 30;

    private final Load load = new Load(management(), faults());

    @ParameterizedTest(name = "at {0} times the normal rate")
    @ValueSource(ints = {1, 30})
    @Tag("T01")
    void keyPairsAreMadeOnceThoughReadsLagAndStatusWritesConflict(int times) {
        load.run(times, this::keyPairsAreMadeOnce);
    }

    private void keyPairsAreMadeOnce() {
        // given
        silenceWatches();
        faults().on(verb("get", "list"), resource("secrets"), namespace(namespace))
                .stale(LAG);
        var conflicts = faults().on(verb("patch"), subresource("status"), namespace(namespace))
                .times(CONFLICTS)
                .conflict();
        List<String> made = new CopyOnWriteArrayList<>();
        faults().on(verb("create"), resource("secrets"), namespace(namespace)).rewrite(secret -> {
            made.add(secret.at("/metadata/name").asText());
            return secret;
        });
        Published published = Published.of(faults(), namespace);
        Recording recording = faults().record(resource("secrets"), namespace(namespace));

        // when
        ClusterRef cluster = declare();
        flows.start("init", cluster, "alice", null);
        awaitFaster(
                "EnsureKubeconfig is left",
                () -> phase(cluster, "EnsureKubeconfig").state().equals(PhaseState.DONE));

        // then
        // The control plane provider may be the first to make c-kubeconfig.
        assertThat(made).contains("c-ca", "c-etcd", "c-proxy", "c-sa").doesNotHaveDuplicates();
        assertThat(recording.calls(writes())).extracting(ApiCall::verb).containsOnly("create");
        assertThat(faults().injected()).containsKey(FaultKind.STALE);
        assertThat(phase(cluster, "EnsureCertificates").attempt())
                .as("the lag was noticed")
                .isGreaterThan(1);
        assertThat(conflicts.injected()).isPositive();
        assertThat(published.phases()).doesNotContain("Failed", "Stuck");
        assertThat(published.text()).doesNotContain("Conflict", "has been modified");
        assertThat(rest.get("/api/v1/clusters/" + namespace + "/" + CLUSTER)
                        .response()
                        .body())
                .doesNotContain("Conflict", "has been modified");
        assertThat(tasks(cluster)).isZero();
    }
}
