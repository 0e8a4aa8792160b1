package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Asks an API server about tokens and for tokens. */
final class TokenCalls {

    private static final String AUTHENTICATION = "authentication.k8s.io/v1";
    private static final String AUTHORIZATION = "authorization.k8s.io/v1";

    private final RestClient rest;
    private final BiFunction<WorkloadClusters.Token, String, RestClient> bearers;

    /**
     * Makes the calls of one API server.
     *
     * @param rest calls as ourselves
     * @param bearers makes a client of the same server for whoever has that token and that CA
     */
    TokenCalls(RestClient rest, BiFunction<WorkloadClusters.Token, String, RestClient> bearers) {
        this.rest = rest;
        this.bearers = bearers;
    }

    Optional<WorkloadClusters.Bearer> review(
            WorkloadClusters.Token token, String authority, List<WorkloadClusters.Access> needed) {
        RestClient bearer = bearers.apply(token, authority);
        try {
            ObjectNode answer = post(
                    bearer,
                    new Operation("create", null, "", "a SelfSubjectReview"),
                    "/apis/" + AUTHENTICATION + "/selfsubjectreviews",
                    body(AUTHENTICATION, "SelfSubjectReview"));
            String user =
                    answer.path("status").path("userInfo").path("username").asText("");
            return Optional.of(new WorkloadClusters.Bearer(user, denied(bearer, needed)));
        } catch (Failure e) {
            // The token's own refusal; one of ours cannot come out of calls that do not carry our credentials.
            if (CallError.UNAUTHORIZED.is(e)) {
                return Optional.empty();
            }
            throw e;
        } finally {
            bearer.close();
        }
    }

    WorkloadClusters.IssuedToken request(String account, Duration life, KubeObject boundTo) {
        Operation operation =
                Operation.on("create a token of", ResourceType.SERVICE_ACCOUNTS, boundTo.namespace(), account);
        ObjectNode body = body(AUTHENTICATION, "TokenRequest");
        ObjectNode spec = body.putObject("spec").put("expirationSeconds", life.toSeconds());
        spec.putObject("boundObjectRef")
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("name", boundTo.name())
                .put("uid", boundTo.uid());
        String path = Paths.object(ResourceType.SERVICE_ACCOUNTS, boundTo.namespace(), account) + "/token";
        ObjectNode status = post(rest, operation, path, body).withObject("status");
        try {
            Instant expires = Instant.parse(status.path("expirationTimestamp").asText(""));
            return new WorkloadClusters.IssuedToken(
                    new WorkloadClusters.Token(status.path("token").asText("")), expires);
        } catch (DateTimeException e) {
            throw CallError.ANSWER_UNREADABLE.failure("Could not " + operation.sentence() + ": " + rest.server()
                    + " answered without status.expirationTimestamp.");
        }
    }

    private static List<WorkloadClusters.Access> denied(RestClient bearer, List<WorkloadClusters.Access> needed) {
        List<WorkloadClusters.Access> denied = new ArrayList<>();
        for (WorkloadClusters.Access access : needed) {
            ObjectNode body = body(AUTHORIZATION, "SelfSubjectAccessReview");
            body.putObject("spec")
                    .putObject("resourceAttributes")
                    .put("verb", access.verb())
                    .put("group", access.group())
                    .put("resource", access.resource());
            ObjectNode answer = post(
                    bearer,
                    new Operation("create", null, "", "a SelfSubjectAccessReview"),
                    "/apis/" + AUTHORIZATION + "/selfsubjectaccessreviews",
                    body);
            if (!answer.path("status").path("allowed").asBoolean()) {
                denied.add(access);
            }
        }
        return denied;
    }

    private static ObjectNode post(RestClient client, Operation operation, String path, ObjectNode body) {
        return client.object(
                operation, client.succeed(operation, RestRequest.of("POST", path, RestRequest.JSON, body)));
    }

    private static ObjectNode body(String apiVersion, String kind) {
        return Json.object().put("apiVersion", apiVersion).put("kind", kind);
    }
}
