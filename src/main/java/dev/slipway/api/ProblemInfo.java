package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem as it is written: for the description only.
 *
 * @param type relative, follows from the code
 * @param title the status in words
 * @param status the HTTP status
 * @param detail for people
 * @param instance the path that was asked for
 * @param code for programs
 * @param object what it is about
 * @param field where in the request
 * @param remedy what to do
 * @param errors all that is wrong with an object
 * @param allowed what is allowed instead
 * @param flow the flow that is in the way
 * @param id finds it in the log
 */
@Schema(name = "Problem", description = "Why a request cannot be done (RFC 9457)")
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProblemInfo(
        @Schema(
                        example = "/problems/invalid-field",
                        requiredMode = Schema.RequiredMode.REQUIRED,
                        format = "uri-reference")
                URI type,
        @Schema(example = "Bad Request", requiredMode = Schema.RequiredMode.REQUIRED) String title,
        @Schema(example = "400", requiredMode = Schema.RequiredMode.REQUIRED) int status,
        @Schema(example = "The field reason is too long", description = "For people") @Nullable String detail,
        @Schema(example = "/api/v1/clusters/demo/c1/retry", format = "uri-reference") @Nullable URI instance,
        @Schema(
                        example = "InvalidField",
                        description = "UpperCamel, stable, for programs",
                        requiredMode = Schema.RequiredMode.REQUIRED)
                String code,
        @Schema(example = "demo/c1", description = "What it is about") @Nullable String object,
        @Schema(example = "reason", description = "Where in the request") @Nullable String field,
        @Schema(example = "Use at most 1000 characters", description = "What to do") @Nullable String remedy,
        @Schema(description = "With Invalid: all that is wrong") @Nullable List<NewClusters.FieldProblem> errors,
        @Schema(description = "With ChoiceNotAllowed: what the phase does allow") @Nullable List<String> allowed,
        @Schema(description = "With FlowActive: where the flow is found") @Nullable String flow,
        @Schema(description = "With Internal: finds it in the log") @Nullable String id) {}
