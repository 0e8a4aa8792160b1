package dev.slipway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private final ManualWorkers workers = new ManualWorkers();
    private final List<String> runs = new ArrayList<>();
    private final Deque<WorkQueue.Work<String>> script = new ArrayDeque<>();
    private final WorkQueue<String> queue = new WorkQueue<>(
            "test", workers, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> 0.5), key -> {
                runs.add(key);
                return script.isEmpty() ? Optional.empty() : script.remove().run(key);
            });

    @Test
    void neverRunsTheWorkOnTheThreadThatAsks() {
        // when
        queue.add("a");

        // then
        assertThat(runs).isEmpty();
        workers.runDue();
        assertThat(runs).containsExactly("a");
        assertThat(queue.size()).isZero();
    }

    @Test
    void runsAKeyOnceHoweverOftenItWasAddedBefore() {
        // given
        queue.add("a");
        queue.add("a");
        queue.addAfter("a", Duration.ofSeconds(5));
        queue.add("b");

        // when
        workers.advance(Duration.ofSeconds(10));

        // then
        assertThat(runs).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void runsAKeyOnceMoreThatIsAddedWhileItsWorkRuns() {
        // given
        script.add(key -> {
            queue.add(key);
            queue.add(key);
            return Optional.empty();
        });

        // when
        queue.add("a");
        workers.runDue();

        // then
        assertThat(runs).containsExactly("a", "a");
        assertThat(queue.size()).isZero();
    }

    @Test
    void takesTheEarlierOfTwoDueDates() {
        // given
        queue.addAfter("a", Duration.ofSeconds(50));
        queue.addAfter("a", Duration.ofSeconds(2));

        // when
        workers.advance(Duration.ofSeconds(2));

        // then
        assertThat(runs).containsExactly("a");
        workers.advance(Duration.ofSeconds(100));
        assertThat(runs).containsExactly("a");
    }

    @Test
    void triesFailedWorkAgainSlowerAndSlowerUntilItSucceeds() {
        // given
        WorkQueue.Work<String> fails = key -> {
            throw new IllegalStateException("down");
        };
        script.addAll(List.of(fails, fails, fails));

        // when
        queue.add("a");
        workers.runDue();

        // then
        assertThat(runs).hasSize(1);
        workers.advance(Duration.ofSeconds(1));
        assertThat(runs).hasSize(2);
        workers.advance(Duration.ofSeconds(2));
        assertThat(runs).hasSize(3);
        workers.advance(Duration.ofSeconds(3));
        assertThat(runs).hasSize(3);
        workers.advance(Duration.ofSeconds(1));
        assertThat(runs).hasSize(4);
        assertThat(queue.size()).isZero();
    }

    @Test
    void runsFailedWorkAtOnceWhenItIsAddedAgain() {
        // given
        script.add(key -> {
            throw new IllegalStateException("down");
        });
        queue.add("a");
        workers.runDue();

        // when
        queue.add("a");
        workers.runDue();

        // then
        assertThat(runs).containsExactly("a", "a");
        workers.advance(Duration.ofMinutes(5));
        assertThat(runs).containsExactly("a", "a");
    }

    @Test
    void comesBackWhenTheWorkAsksForIt() {
        // given
        script.add(key -> Optional.of(Duration.ofMinutes(5)));

        // when
        queue.add("a");
        workers.advance(Duration.ofMinutes(4));

        // then
        assertThat(runs).hasSize(1);
        workers.advance(Duration.ofMinutes(1));
        assertThat(runs).hasSize(2);
    }

    @Test
    void startsNothingAfterItWasClosed() {
        // given
        queue.add("a");

        // when
        queue.close();
        queue.add("b");
        workers.advance(Duration.ofMinutes(1));

        // then
        assertThat(runs).isEmpty();
    }

    @Test
    void backsOffToTheLongestWaitAndNoFurther() {
        // given
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> 1.0);

        // when, then
        assertThat(backoff.after(1)).isEqualTo(Duration.ofMillis(1200));
        assertThat(backoff.after(7)).isEqualTo(Duration.ofSeconds(72));
        assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(72));
    }
}
