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
        "8, CredentialsTooMany, Import failed: more than one credential",
        "9, CredentialRefused, Platform credential refused",
        "8, PlatformClusterFailed, Platform Cluster failed",
        "8, PlatformClusterAbsent, Import incomplete",
        "8, ImportedLabelAbsent, Import incomplete",
        "8, CredentialAbsent, Import incomplete",
        "8, SentryAbsent, Import incomplete",
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

    @Test
    void anImportThatFailedIsNamedByAllThatItLeavesAndPartsOfItForThemselves() {
        // given
        Finding nodes = finding(2, "NoCni");
        Finding sentry = finding(8, "SentryAbsent");
        Finding condition = finding(7, "SentryNotFound");
        Finding record = finding(8, "PlatformClusterAbsent");
        Finding label = finding(8, "ImportedLabelAbsent");
        Finding credentials = finding(8, "CredentialsTooMany");

        // then
        assertThat(name(nodes, sentry, record, label, credentials)).isEqualTo("Import failed");
        assertThat(name(nodes, condition, record, label, credentials)).isEqualTo("Import failed");
        assertThat(name(nodes, sentry, record, label)).isEqualTo("Import failed: nodes wait for sentry");
        assertThat(name(record, label, credentials)).isEqualTo("Import failed: more than one credential");
        assertThat(name(record, label)).isEqualTo("Not imported");
        assertThat(name(nodes, record, label)).isEqualTo("Not imported");
        assertThat(name(nodes)).isEqualTo("Nodes NotReady: no CNI");
    }

    @Test
    void whatIsNotDueYetIsNoPattern() {
        // given
        Finding record = new Finding(8, "T", "o", Verdict.WARNING, "PlatformClusterAbsent", "s", List.of());
        Finding label = new Finding(8, "T", "o", Verdict.WARNING, "ImportedLabelAbsent", "s", List.of());
        Finding log = new Finding(7, "T", "o", Verdict.WARNING, "SentryNotFound", "s", List.of());

        // then
        assertThat(name(record, label)).isEmpty();
        assertThat(name(finding(2, "NoCni"), log)).isEqualTo("Nodes NotReady: no CNI");
    }

    private static String name(Finding... findings) {
        return Signature.of(Arrays.asList(findings)).map(Signature::name).orElse("");
    }

    private static Finding finding(int step, String code) {
        return new Finding(step, "T", "o", code == null ? Verdict.OK : Verdict.PROBLEM, code, "s", List.of());
    }
}
