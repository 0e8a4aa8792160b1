package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How objects stand by their own words, in either shape of Cluster API. */
class ObjectHealthTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String OLD = "2026-01-01T10:00:00Z";

    @Test
    void anObjectWhoseConditionsHoldIsOk() {
        // when
        Seen seen = seen(
                """
                phase: Provisioned
                conditions:
                  - {type: Available, status: "True"}
                  - {type: Deleting, status: "False"}
                  - {type: Paused, status: "False"}
                  - {type: ScalingUp, status: "True", reason: ScalingUp, message: from 1 to 3}
                """);

        // then
        assertThat(seen.verdict()).isEqualTo(Verdict.OK);
        assertThat(seen.code()).isNull();
        assertThat(seen.object()).isEqualTo("cluster/c1");
        assertThat(seen.sentence()).isEqualTo("Provisioned: nothing is wrong with it");
        assertThat(seen.details())
                .containsExactly("ScalingUp is True, reason ScalingUp: from 1 to 3", "conditions as they should be: 4");
    }

    @Test
    void aConditionThatDoesNotHoldIsAProblemWithItsReason() {
        // when
        Seen seen = seen("conditions: [{type: Available, status: 'False', reason: NotReady, message: no endpoint,"
                + " lastTransitionTime: '" + OLD + "'}]");

        // then
        assertThat(seen.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(seen.code()).isEqualTo("NotReady");
        assertThat(seen.sentence()).isEqualTo("Available is False, reason NotReady: no endpoint, since " + OLD);
    }

    @Test
    void aConditionThatDoesNotHoldForAMomentIsAWarning() {
        assertThat(seen("conditions: [{type: Available, status: 'False', lastTransitionTime: '2026-01-01T11:59:00Z'}]")
                        .verdict())
                .isEqualTo(Verdict.WARNING);
    }

    @Test
    void anUnknownConditionIsAWarning() {
        assertThat(seen("conditions: [{type: Available, status: Unknown, lastTransitionTime: '" + OLD + "'}]")
                        .verdict())
                .isEqualTo(Verdict.WARNING);
    }

    @Test
    void theOlderShapeCountsWhereTheNewerIsAbsent() {
        // when
        Seen seen = seen("conditions: [{type: Ready, status: 'False', severity: Info, reason: Waiting},"
                + " {type: InfrastructureReady, status: 'False', severity: Error, reason: Broken}]");

        // then
        assertThat(seen.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(seen.sentence())
                .startsWith("InfrastructureReady is False, reason Broken")
                .endsWith("(and 1 more)");
        assertThat(seen.details()).containsExactly("Ready is False, reason Waiting");
    }

    @Test
    void theNewerShapeCountsWhereBothAreThere() {
        // when
        Seen seen = seen(
                """
                conditions: [{type: Ready, status: "False", severity: Error}]
                v1beta2: {conditions: [{type: Available, status: "True"}]}
                """);

        // then
        assertThat(seen.verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aPauseLeadsWhateverElseIsWrong() {
        // when
        Seen seen = ObjectHealth.of(
                        object("spec: {paused: true}\nstatus: {conditions: [{type: Available, status: 'False'},"
                                + " {type: Paused, status: 'True'}]}"),
                        NOW)
                .seen();

        // then
        assertThat(seen.code()).isEqualTo("Paused");
        assertThat(seen.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(seen.sentence()).startsWith("it is paused (spec.paused)").endsWith("(and 1 more)");
    }

    @Test
    void aFailureThatTheProviderCallsFinalIsAProblemInEitherPlace() {
        assertThat(seen("failureReason: CreateError\nfailureMessage: quota exceeded"))
                .returns("CreateError", Seen::code)
                .returns("the provider reports: CreateError: quota exceeded", Seen::sentence);
        assertThat(seen("deprecated: {v1beta1: {failureMessage: quota exceeded}}"))
                .returns(Verdict.PROBLEM, Seen::verdict)
                .returns("ProviderFailure", Seen::code);
    }

    @Test
    void aDeletionIsToldWithItsFinalizers() {
        // when
        KubeObject object = object("status: {}");
        object.json()
                .withObject("/metadata")
                .put("deletionTimestamp", OLD)
                .putArray("finalizers")
                .add("a/b");

        // then
        assertThat(ObjectHealth.of(object, NOW).seen())
                .returns("Deleting", Seen::code)
                .returns("deletion was requested at " + OLD + "; finalizers: [a/b]", Seen::sentence);
    }

    @Test
    void aControllerThatHasNotLookedIsAWarning() {
        // when
        KubeObject object = object("status: {observedGeneration: 3}");
        object.json().withObject("/metadata").put("generation", 4);

        // then
        assertThat(ObjectHealth.of(object, NOW).seen())
                .returns(Verdict.WARNING, Seen::verdict)
                .returns("NotObserved", Seen::code);
    }

    private static Seen seen(String status) {
        return ObjectHealth.of(object("status:\n" + status.indent(2)), NOW).seen();
    }

    private static KubeObject object(String rest) {
        return new KubeObject(JsonApi.parseYaml("kind: Cluster\nmetadata: {name: c1, namespace: n}\n" + rest)
                .get(0));
    }
}
