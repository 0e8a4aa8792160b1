package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.util.FileSystemUtils;

/**
 * Where a sandbox keeps its kubeconfig and database: empty at each start, and used by one sandbox at a time.
 *
 * @param path the folder
 * @param lock held until the JVM ends
 */
record SandboxFolder(Path path, FileLock lock) {

    /** Opens {@code target/sandbox} of the working folder. */
    static SandboxFolder open() {
        return open(Path.of("target", "sandbox").toAbsolutePath());
    }

    /** Opens a folder; what an earlier sandbox left there goes. */
    static SandboxFolder open(Path path) {
        try {
            Files.createDirectories(path);
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new IllegalStateException(
                        "Another sandbox runs in " + path + ": end it, or start this one in another folder");
            }
            FileSystemUtils.deleteRecursively(path.resolve("data"));
            Files.deleteIfExists(path.resolve("kubeconfig"));
            return new SandboxFolder(path, lock);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use the folder " + path, e);
        }
    }
}
