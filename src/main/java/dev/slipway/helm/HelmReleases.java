package dev.slipway.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.slipway.helm.InstalledRelease.Status;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Helm releases on workload clusters. Every method may be repeated; none waits longer than {@link HelmRuns.Limits}.
 *
 * <p>Helm never waits for objects to become ready: {@link ReadinessProbe} looks.
 */
public final class HelmReleases {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    /** Helm gives up on a hook before its process is killed: then its record says so. */
    private static final Duration BEFORE_THE_END = Duration.ofSeconds(30);

    private final HelmRuns runs;
    private final Clock clock;
    private final ReleaseStore store = new ReleaseStore();

    public HelmReleases(HelmRuns runs, Clock clock) {
        this.runs = runs;
        this.clock = clock;
    }

    /** Looks what is installed; live, without Helm. */
    public Optional<InstalledRelease> find(ReleaseTarget target) {
        return store.find(target.workload(), target.release());
    }

    /**
     * Finds the newest version that fits the constraint, as the repository has it now.
     *
     * @return the source with the exact version: keep it, for the next answer may be another one
     * @throws Failure by class: unreachable TRANSIENT, CA TRUST, 401 and 403 AUTH, no such chart or version INVALID
     */
    public ChartSource resolve(ChartSource source) {
        HelmAnswer answer = runs.ask(HelmCall.show(source));
        try {
            return source.at(YAML.readTree(answer.output()).path("version").asText());
        } catch (JsonProcessingException e) {
            throw Failure.of(
                    ErrorClass.INVALID, "ChartInvalid", "The Chart.yaml of " + source.display() + " is no YAML.");
        }
    }

    /**
     * Says what an installation would change; changes nothing. Hooks and what stands in {@code crds/} are left out.
     *
     * @throws Failure by class, as {@link #install}
     */
    public Plan plan(ReleaseTarget target, ChartSource source, Values values) {
        Optional<InstalledRelease> now = find(target);
        HelmCall call = HelmCall.release(now.isEmpty() ? "install" : "upgrade", target, source, values, timeout());
        String rendered = runs.ask(call.dry(target.workload().version())).output();
        return new Planner(target).plan(now.map(InstalledRelease::manifest).orElse(""), rendered);
    }

    /**
     * Installs or upgrades unless exactly this is deployed. A release that a killed process left behind is recovered.
     *
     * @param source with an exact version: see {@link #resolve}
     * @throws Failure by class; a failed change is tried again by the next call
     */
    public Progress install(ReleaseTarget target, ChartSource source, Values values) {
        if (!source.exact()) {
            throw new IllegalArgumentException("Not an exact version: '" + source.version() + "'; resolve it first");
        }
        if (runs.running(target.key()) && runs.collect(target.key()).isEmpty()) {
            return underway(target);
        }
        Optional<InstalledRelease> now = settled(target);
        if (now.isPresent()) {
            InstalledRelease release = now.get();
            checkName(release, source);
            if (release.is(source, values)) {
                store.prune(target.workload(), target.release());
                return new Progress.Done();
            }
            if (release.status().pending()) {
                return underway(target);
            }
            if (release.status() == Status.UNINSTALLING || release.status() == Status.UNINSTALLED) {
                runs.change(target.key(), HelmCall.uninstall(target));
                return underway(target);
            }
        }
        HelmCall call = HelmCall.release(now.isEmpty() ? "install" : "upgrade", target, source, values, timeout());
        return runs.change(target.key(), call).isPresent() ? new Progress.Done() : underway(target);
    }

    /**
     * Upgrades to what is deployed already, for objects that somebody deleted.
     *
     * @param source with an exact version
     * @throws Failure by class
     */
    public Progress repair(ReleaseTarget target, ChartSource source, Values values) {
        if (runs.running(target.key()) && runs.collect(target.key()).isEmpty()) {
            return underway(target);
        }
        HelmCall call = HelmCall.release("upgrade", target, source, values, timeout());
        return runs.change(target.key(), call).isPresent() ? new Progress.Done() : underway(target);
    }

    /**
     * What differs between a release and what was wanted; live, without Helm.
     *
     * @param source if its version is a constraint, any version of the chart will do
     * @return sentences; empty if it is as wanted, or Helm works on it just now
     */
    public List<String> drift(ReleaseTarget target, ChartSource source, Values values) {
        Optional<InstalledRelease> now = find(target);
        if (now.isEmpty()) {
            return List.of("the release " + target.release().display() + " is gone");
        }
        InstalledRelease release = now.get();
        if (release.status().pending()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        ChartSource wanted = source.exact() ? source : source.at(release.chartVersion());
        if (!release.is(wanted, values)) {
            found.add(release + ", not " + wanted.display()
                    + (release.valuesHash().equals(values.hash()) ? "" : " with these values"));
        }
        absent(target).forEach(id -> found.add("the " + id.display() + " is gone"));
        return found;
    }

    /** The objects of the installed release that are not there; a Job or Pod may have had its time. */
    public List<ObjectId> absent(ReleaseTarget target) {
        ReadinessProbe probe = new ReadinessProbe(target.workload().reader());
        return objects(target).stream()
                .map(ReleaseObject::id)
                .filter(probe::isAbsent)
                .toList();
    }

    /** The objects of the installed release; none if there is none. */
    public List<ReleaseObject> objects(ReleaseTarget target) {
        return find(target)
                .map(release -> new ReadinessProbe(target.workload().reader()).objects(release))
                .orElse(List.of());
    }

    /** Whether Slipway installed the release, or a failed installation of that chart is all there is. */
    public boolean isOurs(ReleaseTarget target, String chart) {
        Optional<InstalledRelease> now = find(target);
        boolean failed = now.filter(release -> release.chart().equals(chart))
                .filter(release -> release.status() != Status.DEPLOYED)
                .isPresent();
        return failed || store.marked(target.workload(), target.release());
    }

    /**
     * Removes a release with its objects; one that is not there is fine. Deletion of the objects goes on in the background.
     *
     * @throws Failure by class
     */
    public Progress uninstall(ReleaseTarget target) {
        if (runs.running(target.key()) && runs.collect(target.key()).isEmpty()) {
            return underway(target);
        }
        Optional<InstalledRelease> now = find(target);
        if (now.isEmpty()) {
            return new Progress.Done();
        }
        if (now.get().status().pending() && !abandoned(now.get())) {
            return underway(target);
        }
        return runs.change(target.key(), HelmCall.uninstall(target)).isPresent()
                ? new Progress.Done()
                : underway(target);
    }

    /** What is installed, after a change that nobody finishes any more was taken back. */
    private Optional<InstalledRelease> settled(ReleaseTarget target) {
        Optional<InstalledRelease> now = find(target);
        if (now.isEmpty() || !now.get().status().pending() || !abandoned(now.get())) {
            return now;
        }
        store.forget(target.workload(), now.get());
        return find(target);
    }

    /** Every process of ours is killed by then, on any node. */
    private boolean abandoned(InstalledRelease pending) {
        return clock.instant().isAfter(pending.since().plus(runs.longest()).plus(BEFORE_THE_END));
    }

    private static void checkName(InstalledRelease release, ChartSource source) {
        if (!release.chart().equals(source.chart())) {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    "ReleaseNameTaken",
                    "The release " + release.release().display() + " is of the chart " + release.chart() + ", not of "
                            + source.chart() + ".",
                    List.of("Choose another release name, or uninstall that release."),
                    null,
                    null);
        }
    }

    private int timeout() {
        return (int) Math.max(1, runs.longest().minus(BEFORE_THE_END).toSeconds());
    }

    private static Progress underway(ReleaseTarget target) {
        return new Progress.Underway(
                "WaitingForHelm",
                "Helm works on the release " + target.release().display() + ".");
    }
}
