package dev.slipway.platform;

import dev.slipway.kubernetes.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The four things that hold for every imported cluster, and which phase repairs each. */
public final class ImportInvariants {

    /** The label by whose key alone a Cluster counts as imported; its value is empty. */
    public static final String IMPORTED_LABEL = "capi.cpaas.io/imported";

    private ImportInvariants() {}

    /** An invariant, with the phase that brings it about. In the order of the import flow. */
    public enum Invariant {
        /** The workload cluster has the ServiceAccount {@code sentry}. */
        SENTRY(4, "EnsureSentry"),
        /** Exactly one ClusterCredential carries Cluster API's label with the cluster's name. */
        SINGLE_CREDENTIAL(3, "EnsureSingleCredential"),
        /** The platform Cluster exists. */
        PLATFORM_CLUSTER(1, "EnsurePlatformCluster"),
        /** The Cluster API Cluster has the label {@link #IMPORTED_LABEL}, whatever its value. */
        IMPORTED_MARK(2, "CommitImported");

        private final int number;
        private final String phase;

        Invariant(int number, String phase) {
            this.number = number;
            this.phase = phase;
        }

        /** Its number in the platform's troubleshooting guide. */
        public int number() {
            return number;
        }

        /** The phase that repairs it. */
        public String phase() {
            return phase;
        }
    }

    /**
     * An invariant that does not hold.
     *
     * @param invariant which one
     * @param message what was seen instead
     */
    public record Broken(Invariant invariant, String message) {}

    /**
     * What was read live.
     *
     * @param cluster the Cluster API Cluster
     * @param platformCluster the platform Cluster of its name
     * @param credentials all credentials of the cluster, by whichever mark
     * @param sentry the ServiceAccount in the workload cluster
     */
    public record Facts(
            KubeObject cluster,
            Optional<PlatformCluster> platformCluster,
            List<ClusterCredential> credentials,
            Optional<KubeObject> sentry) {

        public Facts {
            credentials = List.copyOf(credentials);
        }
    }

    /** Whether a Cluster counts as imported: the label's key is there, whatever its value. */
    public static boolean imported(KubeObject cluster) {
        return cluster.labels().containsKey(IMPORTED_LABEL);
    }

    /** What does not hold, in the order of the import flow: the first one's phase is where to go back to. */
    public static List<Broken> broken(Facts facts) {
        String name = facts.cluster().name();
        List<Broken> broken = new ArrayList<>();
        if (facts.sentry().filter(account -> !account.deleting()).isEmpty()) {
            broken.add(new Broken(
                    Invariant.SENTRY, "the ServiceAccount sentry is absent from the workload cluster of " + name));
        }
        credentials(name, facts.credentials())
                .ifPresent(message -> broken.add(new Broken(Invariant.SINGLE_CREDENTIAL, message)));
        if (facts.platformCluster().filter(cluster -> !cluster.deleting()).isEmpty()) {
            String state = facts.platformCluster().isPresent() ? " is being deleted" : " does not exist";
            broken.add(new Broken(Invariant.PLATFORM_CLUSTER, "the platform Cluster " + name + state));
        }
        if (!imported(facts.cluster())) {
            broken.add(new Broken(
                    Invariant.IMPORTED_MARK,
                    "Cluster " + facts.cluster().namespace() + "/" + name + " has no label " + IMPORTED_LABEL));
        }
        return List.copyOf(broken);
    }

    private static Optional<String> credentials(String name, List<ClusterCredential> all) {
        List<ClusterCredential> counted =
                all.stream().filter(credential -> credential.counts(name)).toList();
        if (counted.size() == 1 && !counted.get(0).deleting()) {
            return Optional.empty();
        }
        if (counted.size() == 1) {
            return Optional.of(
                    "the only credential of " + name + ", " + counted.get(0).name() + ", is being deleted");
        }
        if (counted.isEmpty()) {
            return Optional.of("no credential has the label of " + name
                    + (all.isEmpty() ? "" : ", though " + names(all) + " belongs to it"));
        }
        return Optional.of(name + " has " + counted.size() + " credentials instead of one: " + names(counted));
    }

    private static String names(List<ClusterCredential> credentials) {
        return String.join(
                ", ",
                credentials.stream()
                        .map(credential -> credential.name() + " (created " + credential.created() + ")")
                        .sorted()
                        .toList());
    }
}
