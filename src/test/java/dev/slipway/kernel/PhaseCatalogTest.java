package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The phases of the real diagrams as the kernel reads them. */
class PhaseCatalogTest {

    @Test
    void aPhaseOnASidewayStandsBeforeThatWhichItLeadsTo() {
        // then: the reset leads to where the import goes on
        assertThat(names("cluster-import"))
                .startsWith("AdmitImport", "EnsureClusterNotPaused", "ResetImport", "EnsureControlPlaneReachable")
                .endsWith("CommitImported", "VerifyInvariants")
                .hasSize(KernelHarness.IMPORT_BEANS.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cluster-init", "cluster-import", "cluster-delete", "work-item-install", "work-item-delete"})
    void eachPhaseHasATitleAPaceAndAdvice(String flow) {
        // then
        assertThat(read(flow)).isNotEmpty().allSatisfy(phase -> {
            assertThat(phase.title()).isNotBlank();
            assertThat(phase.requeueAfter()).isPositive();
            assertThat(phase.stuckAfter() == null || !phase.advice().isEmpty())
                    .as("%s says what to do if it is stuck", phase.name())
                    .isTrue();
            assertThat(phase.advice()).allMatch(advice -> advice.length() > 10);
        });
    }

    @Test
    void numberedAdviceIsAListAndOtherAdviceItsFirstSentence() {
        // then
        assertThat(Advice.in(
                        "It waits. If it is stuck: 1. is it up? 2. look. Twice. 3. FORCE, v1.2 too.\nMore. 4. no."))
                .containsExactly("Is it up?", "Look. Twice", "FORCE, v1.2 too");
        assertThat(Advice.in("If it is stuck: correct the field; it goes on. ABORT if not."))
                .containsExactly("Correct the field; it goes on");
        assertThat(Advice.in("It waits.")).isEmpty();
    }

    private static List<String> names(String flow) {
        return read(flow).stream().map(PhaseDefinition::name).toList();
    }

    private static List<PhaseDefinition> read(String flow) {
        return PhaseCatalog.read(
                Bpmn.readModelFromStream(PhaseCatalogTest.class.getResourceAsStream("/bpmn/" + flow + ".bpmn")));
    }
}
