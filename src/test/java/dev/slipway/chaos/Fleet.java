package dev.slipway.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Pki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.springframework.core.io.ClassPathResource;

/** The clusters of a chaos run, in one namespace; written and read past the faults. */
final class Fleet {

    private static final int RSA_EVERY = 5;
    private static final Duration LONG_AGO = Duration.ofDays(1);

    private final JsonApi api;
    private final String namespace;
    private final List<Member> members;

    /**
     * One cluster.
     *
     * @param rsa whether its keys are RSA: they take seconds of a busy machine
     * @param defect what is wrong with it; empty for a good one
     */
    record Member(String name, boolean rsa, Optional<Defect> defect) {}

    private Fleet(JsonApi api, String namespace, List<Member> members) {
        this.api = api;
        this.namespace = namespace;
        this.members = members;
    }

    /** Plans clusters, good and broken in random order; creates none yet. */
    static Fleet plan(ControlPlane management, ChaosOptions options, Random random) {
        List<Optional<Defect>> defects = new ArrayList<>();
        for (int i = 0; i < options.clusters(); i++) {
            Defect[] kinds = Defect.values();
            defects.add(i < options.broken() ? Optional.of(kinds[i % kinds.length]) : Optional.empty());
        }
        Collections.shuffle(defects, random);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < defects.size(); i++) {
            members.add(new Member("c%02d".formatted(i), i % RSA_EVERY == 0, defects.get(i)));
        }
        String namespace = management.newNamespace("chaos");
        management.json().applyYaml(resource("sandbox/cluster-class.yaml"), namespace);
        return new Fleet(management.json(), namespace, List.copyOf(members));
    }

    List<Member> members() {
        return members;
    }

    String namespace() {
        return namespace;
    }

    /** Declares one of them. */
    void create(Member member) {
        if (member.defect().filter(Defect.EXPIRED_AUTHORITY::equals).isPresent()) {
            createExpiredAuthority(member.name());
        }
        boolean unknown = member.defect().filter(Defect.UNKNOWN_CLASS::equals).isPresent();
        boolean dead = member.defect().filter(Defect.DEAD_CONTROL_PLANE::equals).isPresent();
        api.applyYaml(
                """
                apiVersion: slipway.dev/v1alpha1
                kind: WorkloadCluster
                metadata:
                  name: %s
                  annotations: {%s}
                spec:
                  version: v1.36.3
                  certificates: {keyAlgorithm: %s}
                  clusterNetwork:
                    pods: {cidrBlocks: [192.168.0.0/16]}
                    services: {cidrBlocks: [10.128.0.0/12]}
                  topology:
                    class: %s
                    controlPlane: {replicas: 1}
                    workers:
                      - {class: default-worker, name: md-0, replicas: 1}
                """
                        .formatted(
                                member.name(),
                                dead ? "sandbox.slipway.dev/fail-at: control-plane" : "",
                                member.rsa() ? "RSA" : "ECDSA",
                                unknown ? "no-such-class" : "sandbox"),
                namespace);
    }

    private void createExpiredAuthority(String cluster) {
        Pki.Pem expired = Pki.authority(cluster, Clock.systemUTC().instant().minus(LONG_AGO));
        ObjectNode secret = JsonNodeFactory.instance.objectNode();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
        secret.putObject("metadata")
                .put("name", cluster + "-ca")
                .putObject("labels")
                .put("cluster.x-k8s.io/cluster-name", cluster);
        secret.putObject("stringData").put("tls.crt", expired.certificate()).put("tls.key", expired.key());
        api.create("/api/v1/namespaces/" + namespace + "/secrets", secret);
    }

    /** The WorkloadClusters that exist, by name. */
    Map<String, JsonNode> look() {
        Map<String, JsonNode> clusters = new TreeMap<>();
        for (ObjectNode cluster :
                api.list("/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters")) {
            clusters.put(cluster.at("/metadata/name").asText(), cluster);
        }
        return clusters;
    }

    /** The certificates of all authorities that exist, PEM in base64, by the secret's name. */
    Map<String, String> authorities() {
        Map<String, String> certificates = new TreeMap<>();
        secrets().forEach((name, secret) -> {
            if (name.endsWith("-ca")) {
                certificates.put(name, secret.at("/data/tls.crt").asText());
            }
        });
        return certificates;
    }

    /** The secrets that exist, by name. */
    Map<String, JsonNode> secrets() {
        Map<String, JsonNode> secrets = new TreeMap<>();
        for (ObjectNode secret : api.list("/api/v1/namespaces/" + namespace + "/secrets")) {
            secrets.put(secret.at("/metadata/name").asText(), secret);
        }
        return secrets;
    }

    static boolean ready(JsonNode cluster) {
        return cluster != null && cluster.at("/status/ready").asBoolean();
    }

    /** Whether it says that a person is needed, and for this defect. */
    static boolean needsOperator(JsonNode cluster, Defect defect) {
        return condition(cluster).startsWith("True ") && condition(cluster).contains(defect.cause());
    }

    /** The condition that says whether a person is needed: status, reason and message. */
    static String condition(JsonNode cluster) {
        if (cluster != null) {
            for (JsonNode condition : cluster.at("/status/conditions")) {
                if (condition.path("type").asText().equals("ManualInterventionRequired")) {
                    return condition.path("status").asText() + " "
                            + condition.path("reason").asText() + " "
                            + condition.path("message").asText();
                }
            }
        }
        return "there is none";
    }

    private static String resource(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
