package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.sandbox.Behaviour.Fault;
import dev.slipway.sandbox.Behaviour.Network;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What annotations ask of the simulation. */
class BehaviourTest {

    private static final Duration DEFAULT = Duration.ofSeconds(2);

    @Test
    void takesTheDefaultWithoutAnnotations() {
        // when
        Behaviour behaviour = Behaviour.of(annotated("{}"), Optional.empty(), DEFAULT);

        // then
        assertThat(behaviour).isEqualTo(new Behaviour(DEFAULT, Optional.empty(), Network.BUILT_IN));
    }

    @Test
    void readsDelayAndFaultOfTheCluster() {
        // given
        ObjectNode cluster =
                annotated("{\"sandbox.slipway.dev/delay\":\"5m\",\"sandbox.slipway.dev/fail-at\":\"black-hole\"}");

        // when
        Behaviour behaviour = Behaviour.of(cluster, Optional.empty(), DEFAULT);

        // then
        assertThat(behaviour.delay()).isEqualTo(Duration.ofMinutes(5));
        assertThat(behaviour.failsAt(Fault.BLACK_HOLE)).isTrue();
        assertThat(behaviour.failsAt(Fault.WORKERS)).isFalse();
    }

    @Test
    void listensToTheWorkloadClusterAloneWhereThereIsOne() {
        // given
        ObjectNode copy = annotated("{\"sandbox.slipway.dev/fail-at\":\"control-plane\"}");

        // when
        Behaviour behaviour = Behaviour.of(copy, Optional.of(annotated("{}")), DEFAULT);

        // then
        assertThat(behaviour.fault()).isEmpty();
    }

    @Test
    void readsWhereTheNetworkComesFrom() {
        // when
        Behaviour behaviour =
                Behaviour.of(annotated("{\"sandbox.slipway.dev/network\":\"import\"}"), Optional.empty(), DEFAULT);

        // then
        assertThat(behaviour.network()).isEqualTo(Network.IMPORT);
    }

    @Test
    void saysWhichAnnotationIsWrongAndWhatIsRight() {
        // then
        assertThatThrownBy(() -> Behaviour.of(
                        annotated("{\"sandbox.slipway.dev/fail-at\":\"etcd\"}"), Optional.empty(), DEFAULT))
                .hasMessage("Annotation sandbox.slipway.dev/fail-at: \"etcd\" is none of "
                        + "infrastructure, control-plane, workers, black-hole, deletion");
        assertThatThrownBy(() ->
                        Behaviour.of(annotated("{\"sandbox.slipway.dev/delay\":\"soon\"}"), Optional.empty(), DEFAULT))
                .hasMessage("Annotation sandbox.slipway.dev/delay: \"soon\" is not a duration like 500ms, 30s, 5m");
    }

    private static ObjectNode annotated(String annotations) {
        return JsonApi.parse("{\"metadata\":{\"annotations\":" + annotations + "}}");
    }
}
