package dev.slipway.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders of control planes are swept away. */
class TemporaryFoldersTest {

    private static final long NOBODY = Long.MAX_VALUE;

    @TempDir
    private Path parent;

    @Test
    void removesOnlyOldFoldersWhoseJvmIsGone() throws Exception {
        // given
        Path dead = folder(NOBODY, Duration.ofHours(2));
        Path young = folder(NOBODY - 1, Duration.ofMinutes(5));
        Path living = folder(ProcessHandle.current().pid(), Duration.ofHours(2));

        // when
        TemporaryFolders.sweep(parent);

        // then
        assertThat(dead).doesNotExist();
        assertThat(young).exists();
        assertThat(living).exists();
    }

    private Path folder(long pid, Duration age) throws IOException {
        Path folder = Files.createDirectory(parent.resolve("slipway-control-plane-" + pid + "-x"));
        Files.writeString(folder.resolve("etcd.log"), "log");
        return Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
    }
}
