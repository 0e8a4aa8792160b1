package dev.slipway.receipt;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a receipt is about.
 *
 * @param flowId the flow that deletes
 * @param kind the flow's kind, for example {@code delete}
 * @param cluster the cluster, or the work item
 * @param mode {@code Full}, {@code Detach} or {@code Forget}; null where there are no modes
 * @param startedBy who asked for it: a user, or {@code kubernetes} for a deletion by kubectl
 * @param at when it began
 */
public record Head(
        String flowId, String kind, ClusterRef cluster, @Nullable String mode, String startedBy, Instant at) {}
