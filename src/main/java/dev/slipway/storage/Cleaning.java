package dev.slipway.storage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/** Removes what is older than it may be, once an hour, on each node: the second one finds nothing left. */
@Component
final class Cleaning implements InitializingBean, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Cleaning.class);
    private static final Duration PACE = Duration.ofHours(1);
    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final int MOST_BATCHES = 1000;

    private final List<Expiring> tables;
    private final ScheduledExecutorService executor;

    Cleaning(List<Expiring> tables) {
        this.tables = tables;
        this.executor = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread thread = new Thread(runnable, "slipway-cleaning");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void afterPropertiesSet() {
        executor.scheduleWithFixedDelay(this::clean, FIRST.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void clean() {
        for (Expiring table : tables) {
            try {
                int batches = 0;
                while (table.removeOld() && ++batches < MOST_BATCHES && !executor.isShutdown()) {
                    log.debug("More to remove: {}", table);
                }
            } catch (RuntimeException e) {
                log.warn("Removing old rows later: the database does not answer", e);
            }
        }
    }

    @Override
    public void destroy() {
        executor.shutdownNow();
    }
}
