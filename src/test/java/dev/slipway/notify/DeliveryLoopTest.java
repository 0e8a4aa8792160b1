package dev.slipway.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.MovedClock;
import dev.slipway.notify.Receiver.Answer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The thread that delivers: woken after a commit, and by a clock that here only moves when the test moves it. */
@ExtendWith(OutputCaptureExtension.class)
class DeliveryLoopTest {

    private final MovedClock clock = new MovedClock();
    private Receiver receiver;
    private NotificationLab node;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        node = new NotificationLab(
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", ""),
                clock,
                Samples.to(receiver.url("/hook")));
        node.loop.start();
    }

    @AfterEach
    void stop() {
        node.loop.stop();
        receiver.close();
    }

    private void awaitRequests(int count) {
        await("requests")
                .atMost(Duration.ofSeconds(5))
                .until(() -> receiver.requests().size() == count);
    }

    @Test
    void aCommitWakesItWithoutTheClock() {
        // when
        node.open(Samples.opened("e1"));

        // then
        awaitRequests(1);
        await().until(() -> node.store.undelivered() == 0);
    }

    @Test
    void aMovedClockIsNoticed() {
        // given
        receiver.answer(request -> Answer.of(503).with("Retry-After", "3600"));
        node.open(Samples.opened("e1"));
        await().until(() -> node.count("Failed") == 1);

        // when
        receiver.answer(200);
        clock.move(Duration.ofHours(1));

        // then
        awaitRequests(2);
        await().until(() -> node.count("Delivered") == 1);
    }

    @Test
    void itGoesOnAfterTheDatabaseWasAway(CapturedOutput log) {
        // given
        node.jdbc.sql("alter table slipway_notification rename to elsewhere").update();
        node.loop.wake();
        await().until(() -> log.getAll().contains("Not delivering notifications for the moment"));

        // when
        node.jdbc.sql("alter table elsewhere rename to slipway_notification").update();
        node.open(Samples.opened("e1"));

        // then
        awaitRequests(1);
    }

    @Test
    void aStopLetsTheAttemptThatIsUnderWayEnd() throws Exception {
        // given
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch stopping = new CountDownLatch(1);
        receiver.answer(request -> {
            arrived.countDown();
            await().until(() -> stopping.getCount() == 0);
            return Answer.of(200);
        });
        node.open(Samples.opened("e1"));
        arrived.await();

        // when
        Thread stop = new Thread(node.loop::stop);
        stop.start();
        await().until(() -> !node.loop.isRunning());
        stopping.countDown();
        stop.join();

        // then
        assertThat(node.store.undelivered()).isZero();
        assertThat(receiver.requests()).hasSize(1);
    }
}
