package dev.slipway.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which binaries are looked for. */
class BinariesTest {

    @TempDir
    private Path assets;

    @TempDir
    private Path cache;

    private final List<String> asked = new ArrayList<>();

    @Test
    void takesTheAssetsBeforeTheCache() throws Exception {
        // given
        Path wanted = executable(assets, "etcd");
        executable(cache, "etcd");

        // when
        Path found = binaries(working("go")).find("etcd");

        // then
        assertThat(found).isEqualTo(wanted);
        assertThat(asked).isEmpty();
    }

    @Test
    void fallsToTheCacheForWhatTheAssetsLack() throws Exception {
        // given
        executable(assets, "etcd");
        Path wanted = executable(cache, "kube-controller-manager");

        // when
        Path found = binaries(working("go")).find("kube-controller-manager");

        // then
        assertThat(found).isEqualTo(wanted);
    }

    @Test
    void asksTheSourcesInOrderAndKeepsTheResult() {
        // given
        Binaries first = binaries(broken("download"), working("go"));
        Binaries later = binaries(broken("download"), working("go"));

        // when
        Path made = first.find("etcd");

        // then
        assertThat(made).isEqualTo(cache.resolve("etcd")).isExecutable().hasContent("go");
        assertThat(later.find("etcd")).isEqualTo(made);
        assertThat(asked).containsExactly("download", "go");
    }

    @Test
    void leavesNoHalfMadeFileBehind() {
        // given
        Binaries binaries = binaries(broken("download"));

        // when
        assertThatThrownBy(() -> binaries.find("etcd")).isInstanceOf(IllegalStateException.class);

        // then
        assertThat(cache.toFile().list()).containsExactly(".lock");
    }

    @Test
    void saysWhatWasTriedAndWhatToDo() {
        // given
        Binaries binaries = binaries(broken("download"), broken("go"));

        // then
        assertThatThrownBy(() -> binaries.find("kube-apiserver"))
                .hasMessageContaining("Cannot find or make kube-apiserver")
                .hasMessageContaining("KUBEBUILDER_ASSETS: no executable " + assets.resolve("kube-apiserver"))
                .hasMessageContaining("cache: no executable " + cache.resolve("kube-apiserver"))
                .hasMessageContaining("download: broken on purpose")
                .hasMessageContaining("go: broken on purpose")
                .hasMessageContaining("Remedy: set KUBEBUILDER_ASSETS");
    }

    private Binaries binaries(Binaries.Source... sources) {
        return new Binaries(Map.of("KUBEBUILDER_ASSETS", assets.toString()), cache, List.of(sources));
    }

    private static Path executable(Path folder, String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private Binaries.Source working(String name) {
        return source(name, true);
    }

    private Binaries.Source broken(String name) {
        return source(name, false);
    }

    private Binaries.Source source(String name, boolean works) {
        return new Binaries.Source() {
            @Override
            public String describe() {
                return name;
            }

            @Override
            public void provide(String binary, Path target) throws IOException {
                asked.add(name);
                Files.writeString(target, name);
                if (!works) {
                    throw new IOException("broken on purpose");
                }
            }
        };
    }
}
