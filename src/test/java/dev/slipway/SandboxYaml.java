package dev.slipway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;

/** What tests declare, for the sandbox's simulated provider. */
public final class SandboxYaml {

    private SandboxYaml() {}

    /** A cluster with quick keys; the sample of another test has the usual ones. */
    public static String cluster(String name, String annotations) {
        return """
                apiVersion: slipway.dev/v1alpha1
                kind: WorkloadCluster
                metadata:
                  name: %s
                  annotations: {%s}
                spec:
                  version: v1.36.3
                  certificates: {keyAlgorithm: ECDSA, keySize: 256}
                  clusterNetwork:
                    pods: {cidrBlocks: [192.168.0.0/16]}
                    services: {cidrBlocks: [10.128.0.0/12]}
                  topology:
                    class: sandbox
                    controlPlane: {replicas: 1}
                    workers:
                      - {class: default-worker, name: md-0, replicas: 2}
                """
                .formatted(name, annotations);
    }

    /** A file of the class path. */
    public static String resource(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
