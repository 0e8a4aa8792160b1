package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cluster and its flows.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its UID
 * @param origin which object stands for it
 * @param version the Kubernetes version asked for
 * @param phase how it stands
 * @param ready whether it can be used
 * @param stuck whether a phase is stuck or blocked
 * @param created when it was created
 * @param flow the running flow, else the latest, with its current phases
 */
@Schema(name = "Cluster", description = "One cluster with its leading flow")
record ClusterInfo(
        @Schema(example = "demo") String namespace,
        @Schema(example = "c1") String name,
        @Schema(example = "0b3e0b0c-6f5b-4f6e-9d67-0f6f4ce0a001") String uid,
        @Schema(
                        type = "string",
                        allowableValues = {"WorkloadCluster", "Cluster"},
                        description =
                                "WorkloadCluster: Slipway builds it. Cluster: one of Cluster API that Slipway only"
                                        + " imports; its uid is that of the Cluster")
                ClusterResolver.Origin origin,
        @Schema(example = "v1.36.3", description = "Absent while the management cluster does not answer") @Nullable
                String version,
        @Schema(
                        example = "Initializing",
                        description =
                                "Pending, Initializing, Importing, Paused, Stuck, Planned, Ready, Failed or Deleting")
                String phase,
        boolean ready,
        boolean stuck,
        @Nullable Instant created,
        @Schema(description = "The running flow, else the latest one; absent if there never was one") @Nullable
                FlowInfo flow) {

    /** What tells it from others: {@code namespace/name}. */
    String key() {
        return namespace + "/" + name;
    }

    /** The same with another view of its flow. */
    ClusterInfo with(FlowInfo newFlow) {
        return new ClusterInfo(namespace, name, uid, origin, version, phase, ready, stuck, created, newFlow);
    }

    /** Since when it has stood as it does: where its token stands, else when its flow ended or began. */
    Instant since() {
        if (flow != null && !flow.phases().isEmpty() && flow.phases().get(0).since() != null) {
            return flow.phases().get(0).since();
        }
        if (flow != null) {
            return Objects.requireNonNullElse(flow.endedAt(), flow.startedAt());
        }
        return Objects.requireNonNullElse(created, Instant.EPOCH);
    }

    /**
     * A page of clusters.
     *
     * @param items the clusters, in the order asked for
     * @param total how many match
     * @param offset how many were left out
     * @param limit how many at most
     * @param counts how many stand how
     * @param warning what is missing and why; absent if all is well
     */
    @Schema(name = "ClusterList")
    record Page(
            @Schema(description = "In the order asked for") List<ClusterInfo> items,
            @Schema(example = "123", description = "How many match") long total,
            @Schema(example = "0") int offset,
            @Schema(example = "100") int limit,
            @Schema(
                            example = "{\"Ready\": 97, \"Stuck\": 3}",
                            description =
                                    "How many stand how, of all that match when state is left out; those of which there"
                                            + " are none are absent")
                    Map<String, Integer> counts,
            @Schema(description = "What is missing and why; absent if all is well") @Nullable String warning) {}

    /**
     * One cluster in full.
     *
     * @param cluster its summary
     * @param conditions as they stand in the object's status
     * @param flows the latest flow of each kind, newest first, with all phases
     * @param receipt of the latest deletion of a cluster of that name
     * @param warning what is missing and why
     */
    @Schema(name = "ClusterDetails")
    record Details(
            ClusterInfo cluster,
            @Schema(description = "As they stand in the object's status") JsonNode conditions,
            @Schema(description = "The latest flow of each kind, newest first") List<FlowInfo> flows,
            @Schema(description = "Of the latest deletion of a cluster of that name; absent if there was none")
                    @Nullable
                    ReceiptInfo receipt,
            @Schema(description = "What is missing and why; absent if all is well") @Nullable String warning) {}
}
