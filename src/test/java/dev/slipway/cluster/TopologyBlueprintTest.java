package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A topology becomes one Cluster, in the shape that the server speaks: a folder is a case. */
class TopologyBlueprintTest {

    private static final Path CASES = Path.of("src/test/resources/cluster/topology");

    static List<Path> cases() throws IOException {
        try (Stream<Path> folders = Files.list(CASES)) {
            return folders.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void writesTheClusterOfV1beta2(Path folder) throws Exception {
        assertThat(written(folder, "v1beta2")).isEqualTo(expected(folder, "v1beta2"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void writesTheClusterOfV1beta1(Path folder) throws Exception {
        assertThat(written(folder, "v1beta1")).isEqualTo(expected(folder, "v1beta1"));
    }

    private static JsonNode written(Path folder, String version) throws Exception {
        KubeObject object =
                Manifests.read(Files.readString(folder.resolve("in.yaml"))).get(0);
        WorkloadCluster cluster = WorkloadCluster.of(object);
        ResourceType type = new ResourceType("cluster.x-k8s.io", version, "clusters", "Cluster", true);
        Planned planned = new Planned(
                type, TopologyBlueprint.cluster(cluster, cluster.spec().topology(), type));
        planned.mark(cluster, new ClusterSettings(null));
        return planned.object().json();
    }

    private static JsonNode expected(Path folder, String version) throws Exception {
        Path file = folder.resolve("out-" + version + ".yaml");
        // Read by another parser than the code's own.
        return new YAMLMapper().readTree(Files.readString(file));
    }
}
