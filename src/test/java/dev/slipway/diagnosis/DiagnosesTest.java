package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.diagnosis.Diagnoses.Limits;
import dev.slipway.diagnosis.Diagnoses.TooMany;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Steps that fail, hang or are too many. */
@ExtendWith(OutputCaptureExtension.class)
class DiagnosesTest {

    private static final ClusterRef CLUSTER = new ClusterRef("team-a", "c1", "");
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Long enough for a thread to start on a busy machine: a step that has not begun cannot hang. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final CountDownLatch release = new CountDownLatch(1);
    private Diagnoses diagnoses;

    @AfterEach
    void close() {
        release.countDown();
        diagnoses.close();
    }

    @Test
    void findingsComeInTheOrderOfSteps() throws Exception {
        // given
        diagnoses(LONG, 1, step(2, f -> f.add(Seen.ok("b", "good"))), step(1, f -> f.add(Seen.ok("a", "good"))));

        // when
        Diagnosis diagnosis = diagnoses.take(CLUSTER, Duration.ZERO);

        // then
        assertThat(diagnosis.takenAt()).isEqualTo(CLOCK.instant());
        assertThat(diagnosis.findings()).extracting(Finding::object).containsExactly("a", "b");
        assertThat(diagnosis.findings().get(0))
                .returns(1, Finding::step)
                .returns("Step 1", Finding::title)
                .returns(Verdict.OK, Finding::verdict);
    }

    @Test
    void aStepThatFailsDoesNotEndTheOthers() throws Exception {
        // given
        diagnoses(
                LONG,
                1,
                step(1, f -> {
                    f.add(Seen.ok("a", "good"));
                    throw Failure.of(ErrorClass.AUTH, "Forbidden", "may not list x");
                }),
                step(2, f -> f.add(Seen.ok("b", "good"))));

        // when
        List<Finding> findings = diagnoses.take(CLUSTER, Duration.ZERO).findings();

        // then
        assertThat(findings).extracting(Finding::object).containsExactly("a", "Step 1", "b");
        assertThat(findings.get(1))
                .returns(Verdict.UNKNOWN, Finding::verdict)
                .returns("Forbidden", Finding::code)
                .returns("could not be read: may not list x", Finding::sentence);
    }

    @Test
    void aBugInAStepIsToldAndLoggedWithoutSecrets(CapturedOutput output) throws Exception {
        // given
        diagnoses(LONG, 1, step(1, f -> {
            throw new IllegalStateException("cannot use password=PLANTED");
        }));

        // when
        Finding finding = diagnoses.take(CLUSTER, Duration.ZERO).findings().get(0);

        // then
        assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(finding.code()).isEqualTo("Unexpected");
        assertThat(finding.sentence()).contains("IllegalStateException").doesNotContain("PLANTED");
        assertThat(output.toString()).contains("DiagnosesTest.java").doesNotContain("PLANTED");
    }

    @Test
    void aLookThatFailsDoesNotEndItsStep() throws Exception {
        // given
        diagnoses(LONG, 1, step(1, f -> {
            f.look("a", () -> {
                throw Failure.of(ErrorClass.AUTH, "Forbidden", "no");
            });
            f.look("b", () -> {
                throw Failure.of(ErrorClass.INVALID, "KindAbsent", "no such kind");
            });
            f.look("c", () -> f.add(Seen.ok("c", "good")));
        }));

        // then
        assertThat(diagnoses.take(CLUSTER, Duration.ZERO).findings())
                .extracting(Finding::verdict)
                .containsExactly(Verdict.UNKNOWN, Verdict.PROBLEM, Verdict.OK);
    }

    @Test
    void nothingMoreIsAskedOfWhoDoesNotAnswer() throws Exception {
        // given
        diagnoses(LONG, 1, step(1, f -> {
            f.look("a", () -> {
                throw Failure.of(ErrorClass.TRANSIENT, "ApiUnreachable", "refused.");
            });
            f.look("b", () -> f.add(Seen.ok("b", "good")));
        }));

        // then
        assertThat(diagnoses.take(CLUSTER, Duration.ZERO).findings())
                .extracting(Finding::sentence)
                .containsExactly("could not be read: refused. The rest of this step was not looked at.");
    }

    @Test
    void aStepThatHangsIsInterruptedAndWhatItFoundIsKept() throws Exception {
        // given
        AtomicBoolean interrupted = new AtomicBoolean();
        diagnoses(
                SHORT,
                1,
                step(1, f -> {
                    f.add(Seen.ok("a", "good"));
                    f.asking("b");
                    interrupted.set(!awaitRelease());
                    f.add(Seen.ok("b", "too late"));
                }),
                step(2, f -> f.add(Seen.ok("c", "good"))));

        // when
        List<Finding> findings = diagnoses.take(CLUSTER, Duration.ZERO).findings();

        // then
        assertThat(findings).extracting(Finding::object).containsExactly("a", "b", "c");
        assertThat(findings.get(1))
                .returns(Verdict.UNKNOWN, Finding::verdict)
                .returns("Overdue", Finding::code)
                .returns("could not be read: it took too long (no answer within 1000 ms)", Finding::sentence);
        await().untilTrue(interrupted);
    }

    @Test
    void silenceMeansWhatTheStepSaidThatItMeans() throws Exception {
        // given
        diagnoses(SHORT, 1, step(1, f -> {
            f.expect(Seen.problem("api", "ApiTimeout", "does not answer"));
            awaitRelease();
        }));

        // then
        assertThat(diagnoses.take(CLUSTER, Duration.ZERO).findings())
                .singleElement()
                .returns(Verdict.PROBLEM, Finding::verdict)
                .returns("ApiTimeout", Finding::code);
    }

    @Test
    void oneMoreThanAllowedIsRefused() throws Exception {
        // given
        CountDownLatch started = new CountDownLatch(2);
        diagnoses(LONG, 2, step(1, f -> {
            started.countDown();
            awaitRelease();
        }));
        List<CompletableFuture<Void>> running =
                List.of(CompletableFuture.runAsync(this::take), CompletableFuture.runAsync(this::take));
        started.await();

        // then
        assertThatThrownBy(() -> diagnoses.take(CLUSTER, Duration.ofMillis(10)))
                .isInstanceOf(TooMany.class)
                .hasMessage("2 diagnoses are being taken, no more are at the same time");

        // when
        release.countDown();
        running.forEach(CompletableFuture::join);

        // then
        assertThat(diagnoses.take(CLUSTER, LONG).verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void whatHangsBeyondItsDeadlineStillTakesItsPlace() throws Exception {
        // given
        diagnoses(SHORT, 1, step(1, f -> awaitReleaseWhateverComes()));

        // when
        diagnoses.take(CLUSTER, Duration.ZERO);

        // then
        assertThatThrownBy(() -> diagnoses.take(CLUSTER, Duration.ZERO)).isInstanceOf(TooMany.class);
        release.countDown();
        assertThat(diagnoses.take(CLUSTER, LONG)).isNotNull();
    }

    @Test
    void anInterruptedCallerGetsWhatIsThere() throws Exception {
        // given
        Thread caller = Thread.currentThread();
        diagnoses(LONG, 1, step(1, f -> {
            caller.interrupt();
            awaitRelease();
        }));

        // when
        Diagnosis diagnosis = diagnoses.take(CLUSTER, Duration.ZERO);

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(diagnosis.findings()).singleElement().returns("Interrupted", Finding::code);
    }

    @Test
    void twoStepsOfOneNumberAreAMistake() {
        // given
        diagnoses(LONG, 1);

        // then
        assertThatThrownBy(() -> new Diagnoses(List.of(step(1, f -> {}), step(1, f -> {})), new Limits(LONG, 1), CLOCK))
                .hasMessageContaining("same number");
    }

    @Test
    void theOperatorsTaskGetsFewWordsAndNeverAnException() throws Exception {
        // given
        diagnoses(
                SHORT,
                1,
                step(1, f -> f.add(Seen.problem("cluster/c1", "X", "is broken"))),
                step(2, f -> awaitReleaseWhateverComes()));

        // when
        String first = new TaskDiagnosis(diagnoses, Duration.ofMillis(10)).diagnose(CLUSTER);
        String second = new TaskDiagnosis(diagnoses, Duration.ofMillis(10)).diagnose(CLUSTER);

        // then
        assertThat(first).contains("\nPROBLEM 1 cluster/c1: is broken\nUNKNOWN 2 Step 2: could not be read");
        assertThat(second).startsWith("No diagnosis was taken").endsWith("GET /api/v1/clusters/team-a/c1/diagnosis");
    }

    private void take() {
        try {
            diagnoses.take(CLUSTER, Duration.ZERO);
        } catch (TooMany e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean awaitRelease() {
        try {
            release.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void awaitReleaseWhateverComes() {
        while (release.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private void diagnoses(Duration deadline, int atOnce, Step... steps) {
        if (diagnoses != null) {
            diagnoses.close();
        }
        diagnoses = new Diagnoses(Arrays.asList(steps), new Limits(deadline, atOnce), CLOCK);
    }

    private static Step step(int number, Consumer<Findings> look) {
        return new Step() {
            @Override
            public int number() {
                return number;
            }

            @Override
            public String title() {
                return "Step " + number;
            }

            @Override
            public void look(ClusterRef cluster, Findings findings) {
                look.accept(findings);
            }
        };
    }
}
