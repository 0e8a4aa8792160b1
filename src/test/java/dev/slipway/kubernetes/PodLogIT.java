package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.phase.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ends of logs, through a real API server. */
class PodLogIT {

    private final ControlPlane plane = ControlPlane.shared();
    private final LiveReader reader = KubeClient.of(plane.apiClient());
    private final String namespace = plane.newNamespace("logs");

    @Test
    void theEndOfALogIsReadAndItsSizeIsLimited() {
        // given
        try (FakeKubelet kubelet = FakeKubelet.start(plane)) {
            kubelet.run(namespace, "p", "manager", List.of("first", "last"));

            // when
            List<String> lines = reader.log(namespace, "p", "manager", 200);

            // then
            assertThat(lines).containsExactly("first", "last");
            assertThat(kubelet.asked()).singleElement().asString().contains("tailLines=200", "limitBytes=262144");
        }
    }

    @Test
    void aPodThatIsNowhereYetHasAnEmptyLog() {
        // given
        plane.json()
                .create(
                        "/api/v1/namespaces/" + namespace + "/pods",
                        JsonApi.parse("{\"metadata\":{\"name\":\"waits\"},\"spec\":{\"containers\":"
                                + "[{\"name\":\"c\",\"image\":\"none\"}]}}"));

        // then
        assertThat(reader.log(namespace, "waits", "c", 10)).isEmpty();
    }

    @Test
    void aPodThatIsGoneIsAFailureWithItsName() {
        assertThatThrownBy(() -> reader.log(namespace, "gone", "c", 10))
                .isInstanceOfSatisfying(Failure.class, failure -> assertThat(failure.message())
                        .contains("read the log of pods " + namespace + "/gone"));
    }
}
