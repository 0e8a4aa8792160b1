package dev.slipway.platform;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a cluster may be called where a platform records it, and what its records are called. */
public final class PlatformNames {

    /** The longest name: {@code cc-<name>} must be a label of at most 63 characters. */
    public static final int LIMIT = 60;

    private static final String CREDENTIAL_PREFIX = "cc-";
    private static final String MANAGEMENT_CLUSTER = "global";
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private PlatformNames() {}

    /** What is wrong with the name of a cluster; empty if nothing is. */
    public static Optional<String> problem(String name) {
        if (name.length() > LIMIT) {
            return Optional.of("the name has " + name.length() + " characters, the limit is " + LIMIT
                    + ": the credential is called " + CREDENTIAL_PREFIX + "<name>");
        }
        if (!LABEL.matcher(name).matches()) {
            return Optional.of("'" + name + "' is not an RFC 1123 label");
        }
        return name.equals(MANAGEMENT_CLUSTER)
                ? Optional.of("'" + MANAGEMENT_CLUSTER + "' is the management cluster itself")
                : Optional.empty();
    }

    /**
     * Refuses a name that no cluster may have.
     *
     * @throws Failure INVALID {@code NameInvalid}
     */
    public static void require(String name) {
        problem(name).ifPresent(problem -> {
            throw new Failure(
                    ErrorClass.INVALID,
                    "NameInvalid",
                    "metadata.name of the cluster: " + problem,
                    List.of("Use at most " + LIMIT
                            + " lower-case letters, digits and '-', with a letter or digit at both" + " ends"),
                    null,
                    null);
        });
    }

    /**
     * Refuses a record that the platform stored under another name than the one asked for.
     *
     * <p>Some platforms correct names silently: {@code cls-prod-east} becomes {@code cls-prodeast}, a name without
     * {@code cls-} becomes a random one.
     *
     * @throws Failure IDENTITY {@code NameChanged}
     */
    public static void requireSame(String asked, String stored) {
        if (!asked.equals(stored)) {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    "NameChanged",
                    "The platform stored the Cluster '" + asked + "' under the name '" + stored
                            + "': it corrects names that break its own rules",
                    List.of(
                            "Delete clusters.platform.tkestack.io " + stored + ", which Slipway made and does not use",
                            "Use a name that the platform leaves as it is: 'cls-' with lower-case letters and digits after"
                                    + " it"),
                    null,
                    null);
        }
    }

    /** The name of the one credential of a cluster. */
    public static String credential(String cluster) {
        return CREDENTIAL_PREFIX + cluster;
    }
}
