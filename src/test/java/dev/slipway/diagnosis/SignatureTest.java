package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pattern findings show. */
class SignatureTest {

    @ParameterizedTest
    @CsvSource({
        "1, ApiUnreachable, Management API unreachable",
        "1, Overdue, Management API unreachable",
        "1, ClusterApiAbsent, Cluster API not installed",
        "1, Paused, Paused",
        "1, ClusterClassMissing, ClusterClass missing",
        "1, ControlPlaneBelowQuorum, Control plane below quorum",
        "2, InfrastructureNotReady, Machines have no infrastructure",
        "2, NoCni, Nodes NotReady: no CNI",
        "3, CaExpired, Certificate expired",
        "3, KubeconfigExpired, Certificate expired",
        "3, CaLost, Cluster CA lost",
        "4, CertificateExpired, Certificate expired",
        "4, CaUnknown, API certificate not trusted",
        "4, ApiUnreachable, API unreachable",
        "4, ApiTimeout, API unreachable",
    })
    void aCodeOfItsStepShowsThePattern(int step, String code, String pattern) {
        assertThat(Signature.of(List.of(finding(1, null), finding(step, code))))
                .map(Signature::name)
                .contains(pattern);
    }

    @ParameterizedTest
    @CsvSource({"2, ApiUnreachable", "5, Paused", "1, WorkloadClusterAbsent", "6, NoFlow", "5, WarningEvents"})
    void theSameCodeElsewhereShowsNone(int step, String code) {
        assertThat(Signature.of(List.of(finding(step, code)))).isEmpty();
    }

    @Test
    void nothingOfThatNameIsAPatternOnlyWhenAllPlacesSaySo() {
        // then
        assertThat(name(finding(1, "WorkloadClusterAbsent"), finding(1, "ClusterAbsent"), finding(6, "NoFlow")))
                .isEqualTo("No such cluster");
        assertThat(name(finding(1, "WorkloadClusterAbsent"), finding(1, "ClusterAbsent")))
                .isEmpty();
    }

    @Test
    void theCauseComesBeforeItsConsequences() {
        assertThat(name(
                        finding(1, "Paused"),
                        finding(2, "InfrastructureNotReady"),
                        finding(2, "NoCni"),
                        finding(4, "ApiTimeout")))
                .isEqualTo("Paused");
        assertThat(name(finding(2, "InfrastructureNotReady"), finding(4, "ApiUnreachable")))
                .isEqualTo("Machines have no infrastructure");
        assertThat(name(finding(1, "ControlPlaneBelowQuorum"), finding(4, "ApiTimeout")))
                .isEqualTo("Control plane below quorum");
    }

    private static String name(Finding... findings) {
        return Signature.of(Arrays.asList(findings)).map(Signature::name).orElse("");
    }

    private static Finding finding(int step, String code) {
        return new Finding(step, "T", "o", code == null ? Verdict.OK : Verdict.PROBLEM, code, "s", List.of());
    }
}
