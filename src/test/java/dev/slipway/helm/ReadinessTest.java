package dev.slipway.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.helm.Readiness.State;
import dev.slipway.kubernetes.KubeObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects and how ready they are, by the rules of kstatus. */
class ReadinessTest {

    @ParameterizedTest(name = "{0} {2}: {3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            apps/v1     | Deployment  | `{"spec":{"replicas":2},"status":{"replicas":2,"updatedReplicas":2,"availableReplicas":2}}` | READY
            apps/v1     | Deployment  | `{"spec":{"replicas":2},"status":{"replicas":2,"updatedReplicas":2,"availableReplicas":1}}` | IN_PROGRESS
            apps/v1     | Deployment  | `{"spec":{"replicas":1},"status":{"replicas":2,"updatedReplicas":1,"availableReplicas":2}}` | IN_PROGRESS
            apps/v1     | Deployment  | `{"spec":{"replicas":1}}` | IN_PROGRESS
            apps/v1     | Deployment  | `{"spec":{"replicas":0}}` | READY
            apps/v1     | Deployment  | `{"metadata":{"generation":2},"spec":{"replicas":0},"status":{"observedGeneration":1}}` | IN_PROGRESS
            apps/v1     | Deployment  | `{"status":{"conditions":[{"type":"Progressing","reason":"ProgressDeadlineExceeded","status":"False"}]}}` | FAILED
            apps/v1     | StatefulSet | `{"spec":{"replicas":1},"status":{"readyReplicas":1,"currentRevision":"a","updateRevision":"a"}}` | READY
            apps/v1     | StatefulSet | `{"spec":{"replicas":1},"status":{"readyReplicas":1,"currentRevision":"a","updateRevision":"b"}}` | IN_PROGRESS
            apps/v1     | DaemonSet   | `{"status":{"observedGeneration":1,"desiredNumberScheduled":2,"updatedNumberScheduled":2,"numberAvailable":2}}` | READY
            apps/v1     | DaemonSet   | `{"status":{"observedGeneration":1,"desiredNumberScheduled":2,"updatedNumberScheduled":1,"numberAvailable":2}}` | IN_PROGRESS
            apps/v1     | DaemonSet   | `{}` | IN_PROGRESS
            batch/v1    | Job         | `{"status":{"conditions":[{"type":"Complete","status":"True"}]}}` | READY
            batch/v1    | Job         | `{"status":{"conditions":[{"type":"Failed","status":"True"}]}}` | FAILED
            batch/v1    | Job         | `{"status":{"active":1}}` | IN_PROGRESS
            apiextensions.k8s.io/v1 | CustomResourceDefinition | `{"status":{"conditions":[{"type":"Established","status":"True"}]}}` | READY
            apiextensions.k8s.io/v1 | CustomResourceDefinition | `{"status":{"conditions":[{"type":"NamesAccepted","status":"False"}]}}` | FAILED
            v1          | Pod         | `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False"}]}}` | IN_PROGRESS
            v1          | PersistentVolumeClaim | `{"status":{"phase":"Bound"}}` | READY
            v1          | Service     | `{"spec":{"type":"LoadBalancer"}}` | IN_PROGRESS
            v1          | Service     | `{"spec":{"type":"ClusterIP"}}` | READY
            v1          | ConfigMap   | `{}` | READY
            v1          | ConfigMap   | `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}` | IN_PROGRESS
            example.com/v1 | Thing    | `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}` | IN_PROGRESS
            example.com/v1 | Thing    | `{"status":{"conditions":[{"type":"Stalled","status":"True"}]}}` | FAILED
            example.com/v1 | Thing    | `{}` | READY
            """)
    void isJudgedByTheRulesOfItsKind(String version, String kind, String rest, State expected) throws Exception {
        // given
        ObjectNode json = (ObjectNode) new ObjectMapper().readTree(rest);
        json.put("apiVersion", version).put("kind", kind);

        // when
        Readiness readiness = Readiness.of(new KubeObject(json));

        // then
        assertThat(readiness.state()).as(readiness.message()).isEqualTo(expected);
        assertThat(readiness.message().isEmpty()).isEqualTo(expected == State.READY);
    }
}
