package dev.slipway.helm;

import java.time.Instant;

/**
 * A release as Helm's record in the workload cluster tells it. No text of it shows the manifest.
 *
 * @param release where it lives
 * @param revision counts from 1
 * @param chart the chart's name
 * @param chartVersion the chart's version
 * @param status what Helm says about it
 * @param valuesHash {@link Values#hash()} of the values it was installed with; empty if not by Slipway
 * @param since when Helm last began to change it
 * @param manifest the objects it consists of, as YAML; may hold secrets
 * @param record the Secret that says so
 * @param recordUid that Secret's UID
 */
public record InstalledRelease(
        ReleaseName release,
        int revision,
        String chart,
        String chartVersion,
        Status status,
        String valuesHash,
        Instant since,
        String manifest,
        String record,
        String recordUid) {

    /** Helm's own states. */
    public enum Status {
        DEPLOYED,
        FAILED,
        SUPERSEDED,
        UNINSTALLED,
        UNINSTALLING,
        PENDING_INSTALL,
        PENDING_UPGRADE,
        PENDING_ROLLBACK,
        UNKNOWN;

        /** Whether somebody works on it, or was killed while doing so. */
        public boolean pending() {
            return this == PENDING_INSTALL || this == PENDING_UPGRADE || this == PENDING_ROLLBACK;
        }
    }

    /** Whether it is deployed, from that chart in that exact version with these values. */
    boolean is(ChartSource source, Values values) {
        return status == Status.DEPLOYED
                && chart.equals(source.chart())
                && plain(chartVersion).equals(plain(source.version()))
                && valuesHash.equals(values.hash());
    }

    private static String plain(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    @Override
    public String toString() {
        return "Release " + release.display() + ", revision " + revision + ": " + chart + " " + chartVersion + ", "
                + status;
    }
}
