package dev.slipway.helm;

import dev.slipway.helm.HelmRuns.Limits;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Helm for the whole application: unpacked when it is first needed, for most nodes never need its 110 MB. */
@Component
public class Helm implements AutoCloseable {

    private final Clock clock;
    private @Nullable HelmRuntime runtime;
    private @Nullable HelmRuns runs;
    private @Nullable HelmReleases releases;

    public Helm(Clock clock) {
        this.clock = clock;
    }

    /**
     * The releases.
     *
     * @throws dev.slipway.phase.Failure INVALID {@code HelmNotSupported} where there is no library of Helm
     */
    public synchronized HelmReleases releases() {
        if (releases == null) {
            runtime = HelmRuntime.unpack();
            runs = new HelmRuns(runtime, Limits.DEFAULTS);
            releases = new HelmReleases(runs, clock);
        }
        return releases;
    }

    @Override
    public synchronized void close() {
        if (runs != null) {
            runs.close();
        }
        if (runtime != null) {
            runtime.close();
        }
        releases = null;
        runs = null;
        runtime = null;
    }
}
