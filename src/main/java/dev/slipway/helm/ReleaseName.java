package dev.slipway.helm;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.regex.Pattern;

/**
 * Where a release lives and what it is called.
 *
 * @param namespace the namespace in the workload cluster; made if it is absent
 * @param name Helm's name of it: lower-case letters, digits, '-' and '.', at most 53
 */
public record ReleaseName(String namespace, String name) {

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?");

    /** @throws Failure INVALID {@code NameInvalid} */
    public ReleaseName {
        if (!NAMESPACE.matcher(namespace).matches() || !NAME.matcher(name).matches()) {
            throw Failure.of(
                    ErrorClass.INVALID,
                    "NameInvalid",
                    "'" + namespace + "/" + name + "' cannot be a release: its namespace must be a DNS label, its name"
                            + " at most 53 lower-case letters, digits, '-' and '.'.");
        }
    }

    /** For messages: namespace/name. */
    public String display() {
        return namespace + "/" + name;
    }
}
