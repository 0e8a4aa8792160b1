package dev.slipway.controlplane;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the work tree that these classes were built from. */
public final class ProjectFolder {

    private ProjectFolder() {}

    /** A file or folder of the work tree, above the classes or above the working folder. */
    public static Path resolve(String path) {
        for (Path start : new Path[] {classes(), Path.of("").toAbsolutePath()}) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve(path))) {
                    return folder.resolve(path);
                }
            }
        }
        throw new IllegalStateException("No " + path + " above the classes or the working folder");
    }

    private static Path classes() {
        try {
            return Path.of(ProjectFolder.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
