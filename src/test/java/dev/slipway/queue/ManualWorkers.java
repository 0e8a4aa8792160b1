package dev.slipway.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Threads and a clock that a test moves by hand: tasks run in order of their due dates. */
public final class ManualWorkers implements Workers, InstantSource {

    private record Task(Instant due, Runnable task) {}

    private final List<Task> tasks = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public void execute(Runnable task, Duration delay) {
        tasks.add(new Task(now.plus(delay), task));
    }

    @Override
    public Duration elapsed() {
        return Duration.between(Instant.EPOCH, now);
    }

    @Override
    public void close() {
        tasks.clear();
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Runs what is due now, and what that makes due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Moves the clock, running everything that falls due on the way. */
    public void advance(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            Task next = tasks.stream()
                    .filter(task -> !task.due().isAfter(end))
                    .min(Comparator.comparing(Task::due))
                    .orElse(null);
            if (next == null) {
                break;
            }
            tasks.remove(next);
            now = next.due().isAfter(now) ? next.due() : now;
            next.task().run();
        }
        now = end;
    }
}
