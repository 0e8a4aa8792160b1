package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows from each outcome: back-off, escalation, cause. */
class RetryPolicyTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Returns NEVER = new Returns("EnsureThing", 0, null);
    private static final Duration PACE = Duration.ofSeconds(10);

    /** Half of the way between slowest and fastest: no jitter. */
    private final RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(60), Duration.ofSeconds(60), () -> 0.5);

    @Test
    void faultsThatPassAreTriedAgainFromTwoSecondsToAMinuteForEver() {
        // given
        Progress progress = Progress.entered();

        // then
        for (int seconds : new int[] {2, 4, 8, 16, 32, 60, 60}) {
            Verdict.Stay stay = fail(progress, ErrorClass.TRANSIENT, "ServerError");
            assertThat(stay.delay()).isEqualTo(Duration.ofSeconds(seconds));
            assertThat(stay.escalate()).isFalse();
            progress = stay.progress();
        }
    }

    @Test
    void aConflictBetweenTwoOutagesDoesNotStartTheBackOffAnew() {
        // given
        Progress progress =
                fail(Progress.entered(), ErrorClass.TRANSIENT, "ServerError").progress();
        progress = fail(progress, ErrorClass.CONTENTION, "Conflict").progress();

        // then
        assertThat(fail(progress, ErrorClass.TRANSIENT, "ServerError").delay()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void jitterIsAFifthEitherWay() {
        assertThat(delay(0)).isEqualTo(Duration.ofMillis(1600));
        assertThat(delay(1)).isEqualTo(Duration.ofMillis(2400));
    }

    private static Duration delay(double random) {
        RetryPolicy jittery = new RetryPolicy(Duration.ofSeconds(60), Duration.ofSeconds(60), () -> random);
        Failure failure = Failure.of(ErrorClass.TRANSIENT, "ServerError", "m");
        return ((Verdict.Stay) jittery.judge(Progress.entered(), Outcome.retry(failure), PACE, NEVER, NOW)).delay();
    }

    @Test
    void theServersWishForALaterTryIsHonoured() {
        // given
        Failure busy =
                new Failure(ErrorClass.CONTENTION, "TooManyRequests", "m", List.of(), Duration.ofSeconds(45), null);

        // then
        assertThat(((Verdict.Stay) policy.judge(Progress.entered(), Outcome.retry(busy), PACE, NEVER, NOW)).delay())
                .isEqualTo(Duration.ofSeconds(45));
    }

    @ParameterizedTest
    @CsvSource({"AUTH, 3", "ADMISSION, 3", "BUG, 3", "TRUST, 1", "INVALID, 1", "IDENTITY, 1", "UNSAFE, 1"})
    void theOthersEscalateAfterTheirTries(ErrorClass errorClass, int tries) {
        // given
        Progress progress = Progress.entered();

        // then
        for (int attempt = 1; attempt <= tries; attempt++) {
            Verdict.Stay stay = fail(progress, errorClass, "Code");
            assertThat(stay.escalate()).as("attempt " + attempt).isEqualTo(attempt == tries);
            progress = stay.progress();
        }
        assertThat(progress.state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(progress.mayRunUnasked()).isEqualTo(errorClass != ErrorClass.AUTH);
        assertThat(progress.nextCheck() == null).isEqualTo(errorClass == ErrorClass.AUTH);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorClass.class,
            names = {"TRANSIENT", "CONTENTION"})
    void whatPassesInBetweenDoesNotGiveBadCredentialsMoreTries(ErrorClass between) {
        // given
        Progress progress = Progress.entered();
        for (int attempt = 0; attempt < 2; attempt++) {
            progress = fail(progress, ErrorClass.AUTH, "Unauthorized").progress();
            progress = fail(progress, between, "Code").progress();
        }

        // when
        Verdict.Stay third = fail(progress, ErrorClass.AUTH, "Unauthorized");

        // then
        assertThat(third.progress().state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(third.escalate()).isTrue();
    }

    @Test
    void anAnswerThatIsNoFailureGivesThemTheirTriesBack() {
        // given
        Progress progress = Progress.entered();
        progress = fail(progress, ErrorClass.AUTH, "Unauthorized").progress();
        progress = fail(progress, ErrorClass.AUTH, "Unauthorized").progress();
        progress = wait(progress, "WaitingForIt", "not yet").progress();

        // then
        assertThat(fail(progress, ErrorClass.AUTH, "Unauthorized").progress().state())
                .isEqualTo(PhaseState.RETRYING);
    }

    @Test
    @Tag("S1")
    void theCauseIsWhatWasSeenBeforeAConflictOrAnOutageUnlessThatLasts() {
        // given
        Progress progress =
                wait(Progress.entered(), "WaitingForSecret", "no secret").progress();

        // then
        progress = fail(progress, ErrorClass.CONTENTION, "Conflict").progress();
        assertThat(progress.error().code()).isEqualTo("Conflict");
        assertThat(progress.why().code()).isEqualTo("WaitingForSecret");
        progress = fail(progress, ErrorClass.TRANSIENT, "ApiUnreachable").progress();
        assertThat(progress.error().code()).isEqualTo("ApiUnreachable");
        assertThat(progress.why().code()).isEqualTo("WaitingForSecret");
        progress = fail(progress, ErrorClass.TRANSIENT, "ApiUnreachable").progress();
        assertThat(progress.why().code()).isEqualTo("ApiUnreachable");
        progress = wait(progress, "WaitingForSecret", "no secret").progress();
        assertThat(progress.why().code()).isEqualTo("WaitingForSecret");
    }

    @Test
    void aFailureIsTheCauseWhereNothingWasSeenBeforeAndWhereAPersonIsNeeded() {
        // given
        Progress waiting =
                wait(Progress.entered(), "WaitingForSecret", "no secret").progress();

        // then
        assertThat(fail(Progress.entered(), ErrorClass.CONTENTION, "Conflict")
                        .progress()
                        .why()
                        .code())
                .isEqualTo("Conflict");
        assertThat(fail(Progress.entered(), ErrorClass.TRANSIENT, "ApiTimeout")
                        .progress()
                        .why()
                        .code())
                .isEqualTo("ApiTimeout");
        assertThat(fail(waiting, ErrorClass.AUTH, "Unauthorized")
                        .progress()
                        .why()
                        .code())
                .isEqualTo("Unauthorized");
    }

    @Test
    void waitingSlowsDownWhileNothingChangesAndStartsAnewWithAChange() {
        // given
        Progress progress = Progress.entered();

        // then
        for (long millis : new long[] {10_000, 15_000, 22_500, 33_750, 50_625, 60_000, 60_000}) {
            Verdict.Stay stay = wait(progress, "WaitingForIt", "same");
            assertThat(stay.delay()).isEqualTo(Duration.ofMillis(millis));
            progress = stay.progress();
        }
        Verdict.Stay changed = wait(progress, "WaitingForIt", "one more is there");
        assertThat(changed.delay()).isEqualTo(PACE);
        assertThat(changed.changed()).isTrue();
    }

    @Test
    void aBlockedPhaseIsLookedAtAgainMoreAndMoreSlowly() {
        // given
        Progress progress = Progress.entered();

        // then
        for (int seconds : new int[] {60, 120, 240, 300, 300}) {
            Verdict.Stay stay = (Verdict.Stay)
                    policy.judge(progress, Outcome.blocked(ErrorClass.INVALID, "Bad", "m", "fix"), PACE, NEVER, NOW);
            assertThat(stay.delay()).isEqualTo(Duration.ofSeconds(seconds));
            progress = stay.progress();
        }
    }

    private Verdict.Stay fail(Progress before, ErrorClass errorClass, String code) {
        return (Verdict.Stay) policy.judge(before, Outcome.retry(Failure.of(errorClass, code, "m")), PACE, NEVER, NOW);
    }

    private Verdict.Stay wait(Progress before, String reason, String message) {
        return (Verdict.Stay) policy.judge(before, Outcome.waiting(reason, message), PACE, NEVER, NOW);
    }
}
