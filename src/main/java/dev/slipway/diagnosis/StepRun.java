package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One step of one diagnosis on its thread: ends at its deadline, whatever the step does. */
final class StepRun implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StepRun.class);

    private final Step step;
    private final ClusterRef cluster;
    private final Findings findings;
    private final Runnable whenEnded;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread thread;
    private boolean given;

    /**
     * Makes a run.
     *
     * @param whenEnded called when the thread is really free again, which may be after the deadline
     */
    StepRun(Step step, ClusterRef cluster, Runnable whenEnded) {
        this.step = step;
        this.cluster = cluster;
        this.findings = new Findings(step);
        this.whenEnded = whenEnded;
    }

    @Override
    public void run() {
        try {
            if (begin()) {
                look();
            }
        } finally {
            end();
            ended.countDown();
            whenEnded.run();
        }
    }

    private void look() {
        try {
            step.look(cluster, findings);
        } catch (Failure failure) {
            findings.failed(step.title(), failure);
        } catch (RuntimeException e) {
            String what = Redaction.clean(e.toString());
            findings.add(Seen.unknown(step.title(), "Unexpected", what));
            LOG.error(
                    "The step {} of a diagnosis of {} failed: {}",
                    step.title(),
                    cluster.display(),
                    what,
                    withoutMessage(e));
        }
    }

    /** Waits for its end or the deadline, and gives what was found. */
    List<Finding> await(long deadlineNanos, Duration allowed) {
        try {
            if (!ended.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                findings.overdue(allowed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            findings.add(Seen.unknown(step.title(), "Interrupted", "the diagnosis was interrupted"));
        }
        giveUp();
        return findings.close();
    }

    private synchronized boolean begin() {
        thread = given ? null : Thread.currentThread();
        return !given;
    }

    private synchronized void end() {
        thread = null;
        // Not for whoever uses the thread next.
        var unused = Thread.interrupted();
    }

    private synchronized void giveUp() {
        given = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Where it happened; what it says could quote anything. */
    private static Throwable withoutMessage(Throwable e) {
        Throwable bare = new IllegalStateException(e.getClass().getName());
        bare.setStackTrace(e.getStackTrace());
        return bare;
    }
}
