package dev.slipway.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.MovedClock;
import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Receiver.Answer;
import dev.slipway.notify.Receiver.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** From the escalation's transaction to the receiver: once each, in order, whatever fails between. */
@ExtendWith(OutputCaptureExtension.class)
class NotificationDeliveryTest {

    private final MovedClock clock = new MovedClock();
    private final DataSource database = database();
    private Receiver receiver;
    private NotificationLab node;

    DataSource database() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        node = node(database);
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    private NotificationLab node(DataSource database) {
        return new NotificationLab(database, clock, Samples.to(receiver.url("/hook")));
    }

    @Test
    void anEscalationIsToldOnceAndItsEndOnce() throws Exception {
        // when
        node.open(Samples.opened("e1"));
        node.pass(Duration.ofHours(1));
        node.close(Samples.closed("e1"));
        node.pass(Duration.ofHours(1));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1", "closed e1");
        Request opening = receiver.requests().get(0);
        assertThat(opening.method()).isEqualTo("POST");
        assertThat(opening.path()).isEqualTo("/hook");
        assertThat(opening.header("Content-type")).isEqualTo("application/json");
        assertThat(opening.header("Idempotency-key")).isEqualTo("e1:opened");
        assertThat(opening.json().get("key").asText()).isEqualTo("e1:opened");
        assertThat(receiver.requests().get(1).header("Idempotency-key")).isEqualTo("e1:closed");
        assertThat(node.count("Delivered")).isEqualTo(2);
        assertThat(node.undelivered()).isZero();
    }

    @Test
    void whatIsReportedTwiceIsToldOnce() throws Exception {
        // when
        node.open(Samples.opened("e1"));
        node.open(Samples.opened("e1"));
        node.close(Samples.closed("e1"));
        node.pass(Duration.ofMinutes(1));
        node.close(Samples.closed("e1"));
        node.pass(Duration.ofMinutes(1));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1", "closed e1");
    }

    @Test
    void anEscalationThatIsRolledBackIsNeverTold() throws Exception {
        // when
        node.openAndRollBack(Samples.opened("e1"));
        node.pass(Duration.ofHours(1));

        // then
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void theDeliveryIsWokenAfterTheCommitAndNotBefore() {
        // given
        AtomicInteger wakeups = new AtomicInteger();
        NotificationOutbox outbox = new NotificationOutbox(node.store, clock, wakeups::incrementAndGet);

        // when
        node.transactions.executeWithoutResult(status -> {
            outbox.opened(Samples.opened("e1"));
            assertThat(wakeups).hasValue(0);
        });

        // then
        assertThat(wakeups).hasValue(1);
    }

    @Test
    void theEndSpeaksOfTheCauseThatTheBeginningSpokeOf() throws Exception {
        // given
        node.open(Samples.opened("e1"));

        // when: meanwhile the phase has found something else
        Escalation meanwhile = Samples.opened("e1", "WaitingForEndpoint", "none yet");
        node.close(Samples.closed(meanwhile, Samples.CLOSED, "RETRY"));
        node.deliver();

        // then
        assertThat(receiver.requests().get(1).json().get("reason").asText()).isEqualTo("CaExpired");
        assertThat(receiver.requests().get(1).json().get("outcome").asText()).isEqualTo("RETRY");
        assertThat(receiver.requests().get(1).json().get("closedAt").asText()).isEqualTo(Samples.CLOSED.toString());
    }

    @Test
    void aReceiverThatIsDownIsToldWhenItIsUpInOrder(CapturedOutput log) throws Exception {
        // given
        receiver.goDown();
        node.open(Samples.opened("e1"));
        node.pass(Duration.ofMinutes(20));
        node.close(Samples.closed("e1"));
        node.pass(Duration.ofDays(1));
        assertThat(receiver.requests()).isEmpty();
        assertThat(node.undelivered()).isEqualTo(2);

        // when
        receiver.comeBack();
        node.pass(Duration.ofMinutes(5));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1", "closed e1");
        assertThat(node.count("Failed")).isGreaterThan(250);
        assertThat(log.getAll().lines().filter(line -> line.contains("e1:opened")))
                .hasSize(2)
                .first()
                .asString()
                .contains("is not delivered yet: " + receiver.url("") + " cannot be reached");
    }

    @Test
    void pausesGrowFromTwoSecondsToFiveMinutes() throws Exception {
        // given
        receiver.answer(500);
        node.open(Samples.opened("e1"));
        List<Instant> tries = new ArrayList<>();

        // when
        for (int i = 0; i < 11; i++) {
            tries.add(clock.instant());
            node.deliver();
            assertThat(receiver.requests()).hasSize(i + 1);
            Instant due = node.store.nextDue().orElseThrow();
            clock.move(Duration.between(clock.instant(), due));
        }

        // then
        assertThat(IntStream.range(1, tries.size()).mapToLong(i -> Duration.between(tries.get(i - 1), tries.get(i))
                        .toSeconds()))
                .containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
    }

    @Test
    void aReceiverThatAsksToBeLeftAloneIs() throws Exception {
        // given
        receiver.answer(request -> Answer.of(429).with("Retry-After", "120"));
        node.open(Samples.opened("e1"));
        node.deliver();
        node.open(Samples.opened("e2"));

        // when
        node.pass(Duration.ofSeconds(119));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1");

        // when
        receiver.answer(200);
        node.pass(Duration.ofSeconds(1));

        // then
        assertThat(receiver.heard()).containsExactlyInAnyOrder("opened e1", "opened e1", "opened e2");
    }

    @Test
    void aDateInRetryAfterIsUnderstood() throws Exception {
        // given
        receiver.answer(request -> Answer.of(503).with("Retry-After", "Sun, 1 Mar 2026 12:10:00 GMT"));
        node.open(Samples.opened("e1"));

        // when
        node.deliver();

        // then
        assertThat(node.store.nextDue()).contains(Instant.parse("2026-03-01T12:10:00Z"));
    }

    @Test
    void whatIsRefusedForADayIsGivenUpAndItsEndIsToldAllTheSame(CapturedOutput log) throws Exception {
        // given
        receiver.answer(request ->
                Answer.of(request.event().equals("opened") ? 404 : 200).saying("no such hook"));
        node.open(Samples.opened("e1"));
        node.close(Samples.closed("e1"));

        // when
        node.pass(Duration.ofHours(23));

        // then
        assertThat(receiver.heard()).containsOnly("opened e1");
        int tries = receiver.requests().size();
        assertThat(tries).isGreaterThan(100);

        // when
        node.pass(Duration.ofDays(2));

        // then
        assertThat(receiver.heard()).containsOnlyOnce("closed e1").endsWith("closed e1");
        assertThat(node.count("GivenUp")).isEqualTo(1);
        assertThat(node.undelivered()).isZero();
        assertThat(log.getAll().lines().filter(line -> line.contains("e1:opened")))
                .hasSize(2)
                .anyMatch(line -> line.contains("WARN")
                        && line.contains("is refused: " + receiver.url("") + " answered 404: no such hook"))
                .anyMatch(line -> line.contains("ERROR") && line.contains("Giving up"));
    }

    @Test
    void anOutageBetweenRefusalsStartsTheDayAnew() throws Exception {
        // given
        receiver.answer(401);
        node.open(Samples.opened("e1"));
        node.pass(Duration.ofHours(20));

        // when
        receiver.answer(503);
        node.pass(Duration.ofMinutes(10));
        receiver.answer(401);
        node.pass(Duration.ofHours(20));

        // then
        assertThat(node.count("GivenUp")).isZero();
        assertThat(node.undelivered()).isEqualTo(1);
    }

    @Test
    void anEndThatComesEarlyWaitsForItsBeginning() throws Exception {
        // given
        receiver.answer(500);
        node.open(Samples.opened("e1"));
        node.deliver();
        node.close(Samples.closed("e1"));

        // when
        node.deliver();
        receiver.answer(200);
        node.pass(Duration.ofSeconds(2));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1", "opened e1", "closed e1");
    }

    @Test
    void anEscalationThatFailsHoldsUpNoOther() throws Exception {
        // given
        receiver.answer(request -> Answer.of(request.escalation().equals("bad") ? 400 : 200));
        node.open(Samples.opened("bad"));
        node.close(Samples.closed("bad"));
        node.open(Samples.opened("good"));

        // when
        node.deliver();
        node.close(Samples.closed("good"));
        node.deliver();

        // then
        assertThat(receiver.heard()).containsExactly("opened bad", "opened good", "closed good");
    }

    @Test
    void twoNodesSendNothingTwice() {
        // given
        NotificationLab other = node(database);
        int escalations = 60;
        IntStream.range(0, escalations).forEach(i -> node.open(Samples.opened("e" + i)));
        IntStream.range(0, escalations).forEach(i -> other.close(Samples.closed("e" + i)));

        // when
        node.loop.start();
        other.loop.start();

        // then
        try {
            await().atMost(Duration.ofSeconds(20)).until(() -> node.store.undelivered() == 0);
        } finally {
            node.loop.stop();
            other.loop.stop();
        }
        assertThat(receiver.heard()).hasSize(2 * escalations).doesNotHaveDuplicates();
        assertThat(node.count("Delivered")).isPositive();
        assertThat(other.count("Delivered")).isPositive();
        IntStream.range(0, escalations)
                .forEach(i -> assertThat(receiver.heard()).containsSubsequence("opened e" + i, "closed e" + i));
    }

    @Test
    void whatANodeDiedOverIsSentByAnotherAfterTheLeaseUnderTheSameKey() throws Exception {
        // given: a node that is killed after the receiver got it, before it can note that
        DyingDatabase dying = new DyingDatabase(database);
        NotificationLab doomed = node(dying);
        receiver.answer(request -> {
            dying.die();
            return Answer.of(200);
        });
        doomed.open(Samples.opened("e1"));
        assertThat(dying.failsAt(doomed::deliver)).isTrue();
        receiver.answer(200);

        // when
        node.pass(Duration.ofSeconds(5).plus(Courier.LEASE_MARGIN).minusSeconds(1));

        // then
        assertThat(receiver.requests()).hasSize(1);

        // when
        node.pass(Duration.ofSeconds(1));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1", "opened e1");
        assertThat(receiver.requests().stream()
                        .map(request -> request.header("Idempotency-key"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aDatabaseThatIsAwayAfterTheSendMakesNothingSentTwice() throws Exception {
        // given
        DyingDatabase dying = new DyingDatabase(database);
        NotificationLab troubled = node(dying);
        receiver.answer(request -> {
            dying.die();
            return Answer.of(200);
        });
        troubled.open(Samples.opened("e1"));
        assertThat(dying.failsAt(troubled::deliver)).isTrue();

        // when
        dying.live();
        troubled.pass(Duration.ofHours(1));

        // then
        assertThat(receiver.heard()).containsExactly("opened e1");
        assertThat(troubled.undelivered()).isZero();
    }

    @Test
    void anAttemptThatTookTooLongDoesNotDisturbTheNextOne() {
        // given: another node tries while this one still does
        node.open(Samples.opened("e1"));
        Instant lease = clock.instant().plusSeconds(30);
        Notification slow = node.store.claim(clock.instant(), lease).orElseThrow();
        clock.move(Duration.ofSeconds(31));
        NotificationLab other = node(database);
        Instant next = clock.instant().plusSeconds(30);
        assertThat(other.store.claim(clock.instant(), next)).isPresent();

        // when
        node.store.failed(slow, Notification.Failure.UNAVAILABLE, "too late", null, clock.instant());
        node.store.givenUp(slow, "too late", clock.instant());

        // then
        assertThat(node.store.undelivered()).isEqualTo(1);
        assertThat(node.store.nextDue()).contains(next);
    }

    @Test
    void whatWasSettledThirtyDaysAgoIsRemovedUnlessItsEscalationIsOpen() throws Exception {
        // given
        node.open(Samples.opened("over"));
        node.open(Samples.opened("open"));
        node.close(Samples.closed("over"));
        node.deliver();

        // when
        node.pass(Duration.ofDays(29));

        // then
        assertThat(rows()).hasSize(3);

        // when
        clock.move(Duration.ofDays(1).plusHours(2));
        node.deliver();

        // then
        assertThat(rows()).containsExactly("open:opened");
    }

    private List<String> rows() {
        return node.jdbc
                .sql("select id from slipway_notification order by id")
                .query(String.class)
                .list();
    }

    /** A database that one node loses, while the others keep it. */
    private static final class DyingDatabase extends DelegatingDataSource {

        private volatile boolean dead;

        DyingDatabase(DataSource target) {
            super(target);
        }

        void die() {
            dead = true;
        }

        void live() {
            dead = false;
        }

        boolean failsAt(Work work) throws Exception {
            try {
                work.run();
                return false;
            } catch (org.springframework.dao.DataAccessException e) {
                return true;
            }
        }

        @Override
        public java.sql.Connection getConnection() throws java.sql.SQLException {
            if (dead) {
                throw new java.sql.SQLException("The database is away");
            }
            return super.getConnection();
        }

        /** What may fail. */
        private interface Work {
            void run() throws Exception;
        }
    }
}
