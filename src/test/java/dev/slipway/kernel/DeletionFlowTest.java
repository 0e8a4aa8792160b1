package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.camunda.bpm.engine.repository.DeploymentBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;

/** Flows that delete, beside those that build; on diagrams with the shape, and the phases, of the import. */
class DeletionFlowTest extends OneKernel {

    private static final String REACHABLE = "EnsureControlPlaneReachable";
    private static final String WAITING = "WaitingForApi";

    DeletionFlowTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @BeforeAll
    void draw() throws IOException {
        String drawn = new ClassPathResource("bpmn/cluster-import.bpmn").getContentAsString(StandardCharsets.UTF_8);
        DeploymentBuilder deployment = kernel.engine().getRepositoryService().createDeployment();
        for (String process : List.of("cluster-delete", "work-item-install", "work-item-delete")) {
            String diagram = drawn.replace("\"cluster-import\"", "\"" + process + "\"")
                    .replace("\"SUPPLY_CREDENTIALS,ACCEPT_CA,RESET_IMPORT\"", "\"SKIP_REMOTE,FORCE,UNPAUSE\"");
            deployment.addString(process + ".bpmn", diagram);
        }
        deployment.deploy();
    }

    // Who excludes whom

    @ParameterizedTest
    @ValueSource(strings = {"init", "import", "work-item-install"})
    void aDeletionEndsWhatBuildsAndKeepsItFromStarting(String kind) {
        // given
        ClusterRef ref = KernelHarness.cluster("a");
        everythingWaits();
        FlowView building = kernel.flows().start(kind, ref, "test", null);
        String deletion = kind.startsWith("work-item") ? Flows.ITEM_DELETE : Flows.DELETE;

        // when
        FlowView deleting = kernel.flows().start(deletion, ref, "alice", "t/" + ref.uid(), Map.of("by", "alice"));

        // then
        FlowView ended = now(building);
        assertThat(ended.state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(ended.result()).isEqualTo("DeletionRequested");
        kernel.awaitPhase(deleting, REACHABLE, PhaseState.WAITING, WAITING);
        assertThat(runs(deletion).get(0).fact("by")).contains("alice");
        assertThat(deleting.kind()).isEqualTo(deletion);
        assertThatThrownBy(() -> kernel.flows().start(kind, ref, "bob", null))
                .isInstanceOf(Flows.FlowConflict.class)
                .hasMessageEndingWith("default/a does not start: " + deletion + " is active");
        assertThatThrownBy(() -> kernel.flows().start(deletion, ref, "bob", null))
                .isInstanceOf(Flows.FlowConflict.class)
                .hasMessageEndingWith(deletion + " is active");
    }

    @Test
    void aDeletionEndsAnInitTogetherWithTheImportThatItCalled() {
        // given
        everythingWaits();
        FlowView init = kernel.init(KernelHarness.cluster("a"));
        KernelHarness.until("the import is called", () -> called(init).size() == 1);
        FlowView called = called(init).get(0);
        kernel.awaitPhase(called, REACHABLE, PhaseState.WAITING, WAITING);

        // when
        FlowView deleting = kernel.flows().start(Flows.DELETE, init.cluster(), "alice", null);

        // then
        assertThat(List.of(now(init), now(called)))
                .allSatisfy(flow -> assertThat(flow.state()).isEqualTo(FlowState.INTERRUPTED))
                .allSatisfy(flow -> assertThat(flow.endedAt()).isNotNull());
        assertThat(now(deleting).state()).isEqualTo(FlowState.RUNNING);
        assertThat(kernel.phases.runs("EnsureHealthy")).isEmpty();
    }

    @Test
    void whatDoesNotListenToTheRequestEndsAllTheSame() {
        // given
        everythingWaits();
        ClusterRef ref = KernelHarness.cluster("a");
        FlowView deaf = kernel.flows().start(Flows.IMPORT, ref, "test", null);
        kernel.awaitPhase(deaf, REACHABLE, PhaseState.WAITING, WAITING);
        kernel.jdbc()
                .sql("delete from act_ru_event_subscr where proc_inst_id_ = :id")
                .param("id", deaf.id())
                .update();

        // when
        FlowView deleting = kernel.flows().start(Flows.DELETE, ref, "alice", null);

        // then
        assertThat(now(deaf).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(now(deaf).result()).isEqualTo("DeletionRequested");
        assertThat(now(deleting).state()).isEqualTo(FlowState.RUNNING);
    }

    @Test
    void aTriggerThatFiredBeforeEndsNothing() {
        // given
        ClusterRef ref = KernelHarness.cluster("a");
        everythingWaits();
        FlowView first = kernel.flows().start(Flows.DELETE, ref, "slipway", "t/" + ref.uid());
        kernel.awaitPhase(first, REACHABLE, PhaseState.WAITING, WAITING);
        kernel.desk().decide(run(first), Decision.Wish.of(Choice.ABORT, "a mistake"), "alice");
        kernel.awaitEnd(first);
        FlowView again = kernel.flows().start(Flows.IMPORT, ref, "alice", null);

        // then
        assertThatThrownBy(() -> kernel.flows().start(Flows.DELETE, ref, "slipway", "t/" + ref.uid()))
                .isInstanceOf(Flows.FlowConflict.class);
        assertThat(now(again).state()).isEqualTo(FlowState.RUNNING);
    }

    @Test
    @Tag("T63")
    void theEndOfItsObjectDoesNotEndADeletion() {
        // given
        everythingWaits();
        FlowView deleting = kernel.flows().start(Flows.DELETE, KernelHarness.cluster("a"), "alice", null);
        kernel.awaitPhase(deleting, REACHABLE, PhaseState.WAITING, WAITING);

        // when
        kernel.flows().requestDelete(deleting.cluster().uid());

        // then
        assertThat(now(deleting).state()).isEqualTo(FlowState.RUNNING);
        kernel.phases.done("ensureControlPlaneReachable");
        kernel.wake(deleting.cluster());
        assertThat(kernel.awaitEnd(deleting).state()).isEqualTo(FlowState.COMPLETED);
    }

    // Decisions

    @Test
    void forceNeedsTheTypedNameAndTellsThePhaseWhatWasKnown() {
        // given
        everythingWaits();
        kernel.phases.always(
                "ensureControlPlaneReachable", Outcome.blocked(ErrorClass.TRUST, "CaUnknown", "not signed by it"));
        FlowView deleting = kernel.flows().start(Flows.DELETE, KernelHarness.cluster("a"), "alice", null);
        kernel.awaitPhase(deleting, REACHABLE, PhaseState.BLOCKED, "CaUnknown");

        // then
        assertThatThrownBy(() -> decide(deleting, Choice.FORCE, "it is gone", "b"))
                .isInstanceOfSatisfying(Decisions.Invalid.class, e -> {
                    assertThat(e).hasMessage("FORCE is about default/a, not about \"b\"");
                    assertThat(e.remedy()).isEqualTo("Type its name, a, if you mean it");
                });
        assertThatThrownBy(() -> decide(deleting, Choice.FORCE, " ", "a")).hasMessage("FORCE needs a reason");
        assertThatThrownBy(() -> decide(deleting, Choice.SKIP_REMOTE, null, null))
                .hasMessage("SKIP_REMOTE needs a reason");

        // when
        Decision decision = decide(deleting, Choice.FORCE, "it is gone", "a");

        // then
        assertThat(decision.state()).isEqualTo(Decision.State.APPLIED);
        KernelHarness.until("the phase knows", () -> forced().count() > 0);
        PhaseContext told = forced().findFirst().orElseThrow();
        assertThat(told.directive(Directive.FORCE)).contains("a");
        assertThat(told.fact(Directive.FORCE.byFact())).contains("alice");
        assertThat(told.fact(Directive.FORCE.phaseFact())).contains(REACHABLE);
        assertThat(told.fact(Directive.FORCE.classFact())).contains("TRUST");
        assertThat(told.fact(Directive.FORCE.reasonFact())).contains("CaUnknown");
        assertThat(told.fact(Directive.FORCE.sinceFact())).isPresent();
    }

    private Stream<PhaseContext> forced() {
        return runs(Flows.DELETE).stream()
                .filter(run -> run.directive(Directive.FORCE).isPresent());
    }

    private Decision decide(FlowView flow, Choice choice, String reason, String argument) {
        return kernel.desk().decide(run(flow), Decision.Wish.of(choice, reason).about(argument), "alice");
    }

    private String run(FlowView flow) {
        return String.valueOf(kernel.phase(flow, REACHABLE).run());
    }

    /** An import goes as far as the cluster's API, and so do the flows with its phases; an init calls one. */
    private void everythingWaits() {
        kernel.phases.script("admitImport", context -> Outcome.done("fine").with("importMode", "import"));
        kernel.phases.always("ensureControlPlaneReachable", Outcome.waiting(WAITING, "refused"));
    }

    private List<PhaseContext> runs(String kind) {
        return kernel.phases.runs(REACHABLE).stream()
                .filter(run -> run.flow().equals(FlowKinds.processKey(kind)))
                .toList();
    }

    private List<FlowView> called(FlowView caller) {
        return kernel.flows().latest(caller.cluster().uid()).stream()
                .filter(flow -> caller.id().equals(flow.parent()))
                .toList();
    }

    private FlowView now(FlowView flow) {
        return kernel.flows().find(flow.id()).orElseThrow();
    }
}
