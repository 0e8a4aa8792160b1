package dev.slipway.api;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a flow.
 *
 * @param flow which kind
 * @param reset with import, begin with nothing but the proven credential
 * @param mode with delete, what becomes of the cluster
 * @param confirm with delete, the cluster's name
 * @param reason with delete, why
 * @param dryRun with delete, only look
 */
@Schema(name = "StartFlow")
record StartFlow(
        @Schema(example = "init", requiredMode = Schema.RequiredMode.REQUIRED, description = "init, import or delete")
                @Nullable
                String flow,
        @Schema(
                        description = "With import: take the label off, delete the platform's records that Slipway made"
                                + " and begin anew. No machine and no object of Cluster API is deleted")
                @Nullable
                Boolean reset,
        @Schema(
                        example = "Detach",
                        allowableValues = {"Full", "Detach", "Forget"},
                        description = "With delete; by the cluster's own policy if it is left out")
                @Nullable
                String mode,
        @Schema(example = "c1", description = "With delete, required: the cluster's name, typed out") @Nullable
                String confirm,
        @Schema(example = "The project has ended", description = "With delete: kept in the receipt") @Nullable
                String reason,
        @Schema(description = "With delete: delete nothing, end with the preview") @Nullable Boolean dryRun) {

    /** A flow that is no deletion. */
    static StartFlow of(String flow, @Nullable Boolean reset) {
        return new StartFlow(flow, reset, null, null, null, null);
    }
}
