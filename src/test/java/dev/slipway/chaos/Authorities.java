package dev.slipway.chaos;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Remembers every certificate authority that a look found: one that changes has cost a cluster its identity. */
final class Authorities {

    private final Fleet fleet;
    private final Map<String, Set<String>> seen = new TreeMap<>();

    Authorities(Fleet fleet) {
        this.fleet = fleet;
    }

    synchronized void look() {
        fleet.authorities().forEach((secret, certificate) -> seen.computeIfAbsent(secret, s -> new LinkedHashSet<>())
                .add(certificate));
    }

    /** A line for each that changed. */
    synchronized void check(Violations violations) {
        seen.forEach((secret, certificates) -> violations.check(
                certificates.size() == 1,
                secret + ": its authority changed during the run, " + certificates.size() + " were seen"));
    }

    synchronized int count() {
        return seen.size();
    }
}
