package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sandbox's arguments and its folder. */
class SandboxOptionsTest {

    @Test
    void startsEverythingByDefault() {
        // when
        SandboxOptions options = SandboxOptions.parse();

        // then
        assertThat(options.onlyControlPlane()).isFalse();
        assertThat(options.controllers()).isTrue();
        assertThat(options.sample()).isTrue();
        assertThat(options.maximumServers()).isEqualTo(4);
        assertThat(options.faults().empty()).isTrue();
    }

    @Test
    void keepsItsOwnArgumentsAndHandsPropertiesToSlipway() {
        // when
        SandboxOptions options = SandboxOptions.parse(
                "--only-control-plane", "--delay=500ms", "--server.port=9090", "--no-sample", "--faults=light");

        // then
        assertThat(options.onlyControlPlane()).isTrue();
        assertThat(options.sample()).isFalse();
        assertThat(options.delay()).isEqualTo(Duration.ofMillis(500));
        assertThat(options.faults().empty()).isFalse();
        assertThat(options.forSlipway()).containsExactly("--server.port=9090");
        assertThat(options.gives("server.port")).isTrue();
    }

    @Test
    void refusesWhatItDoesNotKnowAndSaysWhatItKnows() {
        // then
        assertThatThrownBy(() -> SandboxOptions.parse("--fast"))
                .hasMessageContaining("Unknown argument --fast")
                .hasMessageContaining("--max-workload-servers");
        assertThatThrownBy(() -> SandboxOptions.parse("--max-workload-servers=many"))
                .hasMessage("--max-workload-servers=many: not a number");
        assertThatThrownBy(() -> SandboxOptions.parse("--faults=conflicts,bad-luck"))
                .hasMessageContaining("\"bad-luck\"")
                .hasMessageContaining("lost-answers");
        assertThatThrownBy(() -> SandboxOptions.parse("--delay=later"))
                .hasMessage("--delay=later: \"later\" is not a duration like 500ms, 30s, 5m");
    }

    @Test
    void startsWithAnEmptyDatabaseAndAnEmptyKubeconfig(@TempDir Path path) throws Exception {
        // given
        Files.createDirectories(path.resolve("data"));
        Files.writeString(path.resolve("data").resolve("slipway.mv.db"), "old");
        Files.writeString(path.resolve("kubeconfig"), "old");

        // when
        SandboxFolder folder = SandboxFolder.open(path);

        // then
        assertThat(folder.path().resolve("data")).doesNotExist();
        assertThat(folder.path().resolve("kubeconfig")).doesNotExist();
        folder.lock().release();
    }
}
