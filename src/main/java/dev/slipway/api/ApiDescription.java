package dev.slipway.api;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.servers.Server;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.stereotype.Component;

/** Adds what all operations have in common to the description: problems, keys, examples. */
@Component
class ApiDescription implements GlobalOpenApiCustomizer {

    private static final String PROBLEM = "application/problem+json";
    private static final String PROBLEM_SCHEMA = "#/components/schemas/Problem";
    /** A misspelt field is an error: these take none but their own. */
    private static final List<String> REQUESTS = List.of(
            "RetryRequest",
            "Credentials",
            "DecisionRequest",
            "StartFlow",
            "StartWorkItemFlow",
            "BulkRetry",
            "WorkloadCluster",
            "Metadata");

    private static final String SIGN_IN = "/api/v1/sign-in";
    private static final String SESSION = "/api/v1/session";

    /** What any request may be answered with, unless the operation says it better. */
    private static final Map<String, String> COMMON = new LinkedHashMap<>(Map.of(
            "400", "InvalidField, MissingField, UnknownField, InvalidBody: the request cannot be understood",
            "401", "NotSignedIn: no or wrong credentials",
            "403", "NotAllowed, NoRole, CrossSite, CsrfInvalid: this user may not do that, or not from there",
            "406", "NotAcceptable: it cannot be given in that form",
            "429", "TooManyAttempts: too many sign-ins failed; Retry-After",
            "500", "Internal: a bug; id finds it in the log",
            "502", "The management cluster refuses Slipway: an administrator must act",
            "503", "The management cluster or the database does not answer; Retry-After"));

    @Override
    public void customise(OpenAPI api) {
        api.setServers(List.of(new Server().url("/")));
        ResolvedSchema problem = ModelConverters.getInstance(true)
                .resolveAsResolvedSchema(new AnnotatedType(ProblemInfo.class).resolveAsRef(false));
        api.getComponents().addSchemas("Problem", problem.schema);
        problem.referencedSchemas.forEach(api.getComponents()::addSchemas);
        api.getComponents().getSchemas().remove("ProblemDetail");
        api.getPaths().forEach((path, item) -> item.readOperationsMap()
                .forEach((method, operation) -> complete(path, method, operation)));
        REQUESTS.forEach(name -> {
            if (api.getComponents().getSchemas().get(name) != null) {
                strict(api.getComponents().getSchemas().get(name));
            }
        });
        new Examples(api).add();
    }

    /** None but the described fields; null counts as left out. */
    private static void strict(Schema<?> request) {
        request.setAdditionalProperties(false);
        List<String> required = request.getRequired() == null ? List.of() : request.getRequired();
        request.getProperties().forEach((name, property) -> {
            if (!required.contains(name) && property.getTypes() != null && property.getEnum() == null) {
                property.addType("null");
            }
        });
    }

    private static void complete(String path, PathItem.HttpMethod method, Operation operation) {
        boolean open = path.equals(SIGN_IN) || path.equals(SESSION);
        COMMON.forEach((status, meaning) -> {
            if (!open || !status.equals("502")) {
                problem(operation, status, meaning);
            }
        });
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(ApiDescription::tighten);
        }
        if (path.contains("{")) {
            problem(operation, "404", "There is no such thing");
        }
        if (operation.getRequestBody() != null) {
            problem(operation, "413", "TooLarge: the body is too long");
            problem(operation, "415", "UnsupportedMediaType: the body is none of the described types");
        }
        if (method == PathItem.HttpMethod.POST && !open) {
            operation.addParametersItem(new Parameter()
                    .in("header")
                    .name(IdempotencyFilter.KEY)
                    .description(
                            "Whoever sends the same request with the same key within 24 hours gets the first answer"
                                    + " again, if that told of success")
                    .schema(new StringSchema().maxLength(128).pattern("^[!-~]{1,128}$"))
                    .example("0b8f7a1e-6f0a-4a55-9d6e-2f9f0c6d1a11"));
            problem(operation, "409", "IdempotencyKeyInUse: the first request with this key is not done");
            problem(operation, "422", "IdempotencyKeyReused: this key was used for another request");
        }
        operation.getResponses().forEach((status, response) -> {
            if (status.startsWith("4") || status.startsWith("5")) {
                asProblem(status, response);
            }
        });
    }

    /** What can be a name or an id at all. */
    private static void tighten(Parameter parameter) {
        if ("path".equals(parameter.getIn())) {
            parameter.getSchema().pattern("^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$");
        }
        if ("query".equals(parameter.getIn()) && "namespace".equals(parameter.getName())) {
            parameter.getSchema().pattern("^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$");
        }
    }

    private static void problem(Operation operation, String status, String meaning) {
        operation.getResponses().computeIfAbsent(status, absent -> new ApiResponse().description(meaning));
    }

    /** All that goes wrong is told in one shape. */
    private static void asProblem(String status, ApiResponse response) {
        MediaType described =
                response.getContent() == null || response.getContent().isEmpty()
                        ? new MediaType()
                        : response.getContent().values().iterator().next();
        described.setSchema(new Schema<>().$ref(PROBLEM_SCHEMA));
        response.setContent(new Content().addMediaType(PROBLEM, described));
        if (status.equals("429") || status.equals("503")) {
            response.addHeaderObject(
                    "Retry-After", new Header().description("Seconds to wait").schema(new IntegerSchema()));
        }
    }
}
