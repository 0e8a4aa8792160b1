package dev.slipway.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Go module that names the versions of the control plane.
 *
 * @param folder where its {@code go.mod} is
 */
record GoModule(Path folder) {

    private static final Pattern KUBERNETES = Pattern.compile("^\\s*k8s\\.io/kubernetes (v[0-9.]+)", Pattern.MULTILINE);

    /** That of this work tree. */
    static GoModule find() {
        return new GoModule(
                ProjectFolder.resolve("src/test/control-plane/go.mod").getParent());
    }

    /** The version of Kubernetes, for example {@code v1.36.3}. */
    String kubernetesVersion() {
        try {
            Matcher matcher = KUBERNETES.matcher(Files.readString(folder.resolve("go.mod")));
            if (matcher.find()) {
                return matcher.group(1);
            }
            throw new IllegalStateException(folder.resolve("go.mod") + " does not require k8s.io/kubernetes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
