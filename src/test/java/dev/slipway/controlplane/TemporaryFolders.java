package dev.slipway.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.util.FileSystemUtils;

/** Folders of control planes, readable by their user only; those that a killed JVM left behind go after an hour. */
final class TemporaryFolders {

    private static final String PREFIX = "slipway-control-plane-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-.*");
    private static final Duration KEPT = Duration.ofHours(1);

    private TemporaryFolders() {}

    static Path create() {
        try {
            Path folder =
                    Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
            sweep(folder.getParent());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary folder", e);
        }
    }

    /** Removes old folders whose JVM is gone: its logs are of no use any more. */
    static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                Matcher matcher = NAME.matcher(folder.getFileName().toString());
                boolean old = Files.getLastModifiedTime(folder)
                        .toInstant()
                        .isBefore(Instant.now().minus(KEPT));
                if (old
                        && matcher.matches()
                        && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    FileSystemUtils.deleteRecursively(folder);
                }
            }
        }
    }
}
