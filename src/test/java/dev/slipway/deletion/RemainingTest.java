package dev.slipway.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What remains of a cluster, in words. */
class RemainingTest {

    @Test
    void whatAFinalizerHoldsComesFirstForTheOthersWaitForIt() {
        // given
        KubeObject waiting =
                object("{\"kind\": \"DevCluster\", \"metadata\": {\"namespace\": \"n\", \"name\": \"a\"}}");
        KubeObject held = object(
                "{\"kind\": \"Machine\", \"metadata\": {\"namespace\": \"n\", \"name\": \"b\", \"finalizers\": [\"x/y\"],"
                        + " \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"}}");

        // then
        assertThat(new Remaining(List.of(waiting, held)).sentence())
                .isEqualTo("waiting for 2 objects: Machine n/b, held by x/y; DevCluster n/a, not being deleted yet");
    }

    private static KubeObject object(String json) {
        return new KubeObject(JsonApi.parse(json));
    }
}
