package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.pki.KeyMaker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An IPv6 address is no label value: no phase uses an endpoint as one. */
class Ipv6EndpointIT {

    private static final String HOST = "fd00::1";

    private final ClusterLab lab = ClusterLab.open("ipv6");

    @Test
    @Tag("T73")
    void standsInSpecAndKubeconfigAndInNoLabel() throws IOException {
        // given
        lab.apply(Files.readString(Path.of("src/test/resources/cluster/class.yaml")));
        WorkloadCluster cluster = lab.declare(
                "c",
                """
                version: v1.36.3
                controlPlaneEndpoint: {host: 'fd00::1', port: 6443}
                topology: {class: small, variables: [{name: flavour, value: big}]}
                certificates: {keyAlgorithm: ECDSA, keySize: 256}
                """);
        PhaseContext context = lab.context(cluster.ref(), Map.of());

        // when
        Outcome objects = new EnsureClusterApiObjects(lab.clusters(), lab.api(), lab.objects()).run(context);
        Outcome certificates = new EnsureCertificates(
                        lab.client(), lab.client(), lab.clusters(), lab.api(), new KeyMaker())
                .run(context);
        Outcome kubeconfig = new EnsureKubeconfig(lab.client(), lab.client(), lab.clusters()).run(context);

        // then
        assertThat(objects).isInstanceOf(Outcome.Waiting.class);
        assertThat(certificates).isInstanceOf(Outcome.Done.class);
        assertThat(kubeconfig).isInstanceOf(Outcome.Done.class);
        KubeObject made = lab.get("cluster.x-k8s.io", "Cluster", "c");
        assertThat(made.text("spec", "controlPlaneEndpoint", "host")).contains(HOST);
        List<KubeObject> secrets = lab.client().list(ResourceType.SECRETS, lab.namespace(), Map.of());
        List<KubeObject> all = new ArrayList<>(secrets);
        all.add(made);
        all.add(lab.get("slipway.dev", "WorkloadCluster", "c"));
        assertThat(all)
                .hasSize(7)
                .allSatisfy(object -> assertThat(object.labels().values()).noneMatch(value -> value.contains("fd00")));
        assertThat(secrets)
                .filteredOn(secret -> secret.name().equals("c-kubeconfig"))
                .singleElement()
                .satisfies(secret -> assertThat(text(secret)).contains("https://[fd00::1]:6443"));
    }

    private static String text(KubeObject secret) {
        return new String(
                Base64.getDecoder().decode(secret.text("data", "value").orElseThrow()), StandardCharsets.UTF_8);
    }
}
