package dev.slipway.imports;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which versions of Kubernetes can be imported. */
public final class ServerVersion {

    /** The first version that tells a token whose it is ({@code SelfSubjectReview} of authentication.k8s.io/v1). */
    private static final int MAJOR = 1;

    private static final int MINOR = 28;

    private static final Pattern NUMBERS = Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6}).*");

    private ServerVersion() {}

    /**
     * Refuses a version that is too old; one that is not written as Kubernetes writes them passes.
     *
     * @param server the server's URL
     * @param version its {@code gitVersion}
     * @throws Failure INVALID {@code VersionUnsupported}
     */
    public static void require(String server, String version) {
        Matcher matcher = NUMBERS.matcher(version);
        if (!matcher.matches()) {
            return;
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
            throw new Failure(
                    ErrorClass.INVALID,
                    "VersionUnsupported",
                    server + " runs Kubernetes " + version + "; the oldest that can be imported is " + MAJOR + "."
                            + MINOR,
                    List.of("Upgrade the workload cluster"),
                    null,
                    null);
        }
    }
}
