package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.PhaseState;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetQueryTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<ClusterInfo> FLEET = List.of(
            cluster("a", "Ready", null),
            cluster("b", "Initializing", null),
            cluster("c", "Failed", null),
            cluster("d", "Stuck", phase()),
            cluster("e", "Paused", null),
            cluster("f", "Planned", null));

    @Test
    void thoseThatNeedSomebodyComeFirstAndThoseThatAreReadyLast() {
        // when
        Sliced<ClusterInfo> page = FleetQuery.ALL.page(FLEET, Slice.first(100));

        // then
        assertThat(page.items()).extracting(ClusterInfo::name).containsExactly("d", "c", "e", "b", "f", "a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo/d",
                "STUCK",
                "api unreachable",
                "ApiUnreachable",
                "Control plane init",
                "ensurecontrolplane",
                "10.0.0.7"
            })
    void isFoundByNameStatePhaseReasonAndMessage(String wanted) {
        // when
        FleetQuery query = new FleetQuery(null, null, wanted, null, null, FleetQuery.Sort.ATTENTION, false);

        // then
        assertThat(query.page(FLEET, Slice.first(100)).items())
                .extracting(ClusterInfo::name)
                .containsExactly("d");
        assertThat(query.counts(FLEET)).containsOnlyKeys("Stuck");
    }

    private static ClusterInfo cluster(String name, String phase, PhaseInfo current) {
        FlowInfo flow = new FlowInfo(
                "1",
                "init",
                "demo",
                name,
                FlowState.RUNNING,
                null,
                "slipway",
                THEN,
                null,
                null,
                null,
                current != null,
                0,
                12,
                current == null ? List.of() : List.of(current));
        return new ClusterInfo(
                "demo",
                name,
                "uid-" + name,
                ClusterResolver.Origin.WORKLOAD_CLUSTER,
                null,
                phase,
                false,
                current != null,
                THEN,
                flow);
    }

    private static PhaseInfo phase() {
        return new PhaseInfo(
                "EnsureControlPlaneInitialized",
                "Control plane initialized",
                "phase_controlPlaneInitialized",
                PhaseState.RETRYING,
                true,
                7,
                THEN,
                null,
                "ApiUnreachable",
                "connect to 10.0.0.7:6443: connection refused",
                null,
                null,
                null,
                null,
                null,
                List.of(),
                "run",
                null,
                List.of());
    }
}
