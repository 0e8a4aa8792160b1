package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** How a diagnosis reads. */
class PageTest {

    private static final ClusterRef CLUSTER = new ClusterRef("team-a", "c1", "");
    private static final Instant AT = Instant.parse("2026-01-01T11:00:00.123Z");

    private final Diagnosis diagnosis = Diagnosis.of(
            CLUSTER,
            AT,
            List.of(
                    new Finding(1, "Cluster API", "cluster/c1", Verdict.OK, null, "Provisioned", List.of()),
                    new Finding(4, "Workload API", "tcp/10.0.0.1:6443", Verdict.OK, null, "accepts", List.of()),
                    new Finding(
                            4,
                            "Workload API",
                            "https://10.0.0.1:6443/readyz",
                            Verdict.PROBLEM,
                            "ApiTimeout",
                            "does <b>not</b> answer",
                            List.of("Check *it*.", "More"))));

    @Test
    void theTextHasEachStepOnceWithItsFindings() {
        assertThat(Page.text(diagnosis))
                .isEqualTo(
                        """
                        Diagnosis of team-a/c1, taken 2026-01-01T11:00:00Z: PROBLEM
                        Known pattern: API unreachable
                          The cluster's API server does not answer. Look at the load balancer, the first control plane machine, and firewalls between Slipway and the endpoint.

                        1. Cluster API
                           OK       cluster/c1: Provisioned

                        4. Workload API
                           OK       tcp/10.0.0.1:6443: accepts
                           PROBLEM  https://10.0.0.1:6443/readyz: does <b>not</b> answer
                                    - Check *it*.
                                    - More
                        """);
    }

    @Test
    void theMarkdownLeavesForeignWordsWithoutEffect() {
        assertThat(Page.markdown(diagnosis))
                .startsWith("# Diagnosis of team-a/c1, taken 2026-01-01T11:00:00Z: PROBLEM\n\nKnown pattern: **API")
                .contains("\n## 4. Workload API\n\n* **OK** tcp/10.0.0.1:6443: accepts\n")
                .contains("does \\<b\\>not\\</b\\> answer\n  * Check \\*it\\*.\n  * More\n");
    }

    @Test
    void theBriefNamesWhatIsNotWellAndCountsTheRest() {
        assertThat(Page.brief(diagnosis, 3000))
                .startsWith("Diagnosis of team-a/c1, taken 2026-01-01T11:00:00Z: PROBLEM\n"
                        + "Known pattern: API unreachable. The cluster's API server")
                .endsWith("\nPROBLEM 4 https://10.0.0.1:6443/readyz: does <b>not</b> answer\n"
                        + "2 other findings are OK. All of it, taken anew: GET /api/v1/clusters/team-a/c1/diagnosis");
    }

    @Test
    void theBriefIsNeverLongerThanAllowed() {
        // given
        List<Finding> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String object = String.format(Locale.ROOT, "machine/m%03d", i);
            many.add(new Finding(2, "M", object, Verdict.PROBLEM, "X", "x".repeat(i * 10), List.of()));
        }

        // when
        String brief = Page.brief(Diagnosis.of(CLUSTER, AT, many), 3000);

        // then
        assertThat(brief.length()).isBetween(2500, 3000);
        assertThat(brief)
                .contains("PROBLEM 2 machine/m000", "\n… and more.\n0 other")
                .doesNotContain("machine/m099");
    }

    @Test
    void theWorstFindingIsTheVerdictOfAll() {
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(Verdict.worst(List.of(Verdict.WARNING, Verdict.UNKNOWN))).isEqualTo(Verdict.UNKNOWN);
        assertThat(Diagnosis.of(CLUSTER, AT, List.of()).verdict()).isEqualTo(Verdict.OK);
    }
}
