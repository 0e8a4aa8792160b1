package dev.slipway.kubernetes;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How Slipway reaches the Kubernetes APIs.
 *
 * @param kubeconfig the management cluster's kubeconfig; by default KUBECONFIG, ~/.kube/config, then the pod's account
 * @param callTimeout deadline of each call
 * @param connectTimeout deadline of connecting
 * @param namespaces where to look for clusters; empty for everywhere
 * @param workloadClients how many clients of workload clusters are kept
 * @param watch how changes are watched
 */
@Validated
@ConfigurationProperties("slipway.kubernetes")
public record KubernetesProperties(
        @Nullable Path kubeconfig,
        @DefaultValue("10s") @NotNull @DurationMin(millis = 100) Duration callTimeout,
        @DefaultValue("5s") @NotNull @DurationMin(millis = 100) Duration connectTimeout,
        @DefaultValue List<String> namespaces,
        @DefaultValue("256") @Min(1) int workloadClients,
        @DefaultValue @Valid Watch watch) {

    /** The namespaces to list one by one: those configured, or "" for all at once. */
    public List<String> searched() {
        return namespaces.isEmpty() ? List.of("") : namespaces;
    }

    /**
     * How changes are watched.
     *
     * @param enabled whether to watch at all; without, the timers of the diagrams drive everything
     * @param timeout how long the server keeps a watch open; a silent one is given up 30 s later
     * @param discoveryInterval how often to look for kinds that were absent
     */
    public record Watch(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("5m") @NotNull @DurationMin(seconds = 1) Duration timeout,
            @DefaultValue("30s") @NotNull @DurationMin(millis = 100) Duration discoveryInterval) {}
}
