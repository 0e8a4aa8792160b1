package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the management cluster whose a token is, and what its owner may do. */
public final class AccessReviews {

    private static final String AUTHENTICATION = "authentication.k8s.io/v1";
    private static final String AUTHORIZATION = "authorization.k8s.io/v1";

    private final RestClient rest;

    AccessReviews(RestClient rest) {
        this.rest = rest;
    }

    /**
     * Who has a token.
     *
     * @param username for example {@code system:serviceaccount:demo:ci}
     * @param uid the account's UID, or empty
     * @param groups the account's groups
     * @param extra what else the server knows of it, and takes into account
     */
    public record Owner(String username, String uid, List<String> groups, Map<String, List<String>> extra) {

        public Owner {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
        }
    }

    /**
     * Who has that token.
     *
     * @param token never logged, never part of a message
     * @param audiences for which the token must have been issued; empty for the API server's own
     * @return empty if the cluster does not know the token
     * @throws dev.slipway.phase.Failure if the cluster does not answer, or does not let Slipway ask
     */
    public Optional<Owner> owner(String token, List<String> audiences) {
        ObjectNode body = body(AUTHENTICATION, "TokenReview");
        ObjectNode spec = body.putObject("spec").put("token", token);
        if (!audiences.isEmpty()) {
            audiences.forEach(spec.putArray("audiences")::add);
        }
        JsonNode status = post("a TokenReview", "/apis/" + AUTHENTICATION + "/tokenreviews", body)
                .path("status");
        if (!status.path("authenticated").asBoolean()) {
            return Optional.empty();
        }
        // A server that knows nothing of audiences answers without any: then the token was not checked for ours.
        if (!audiences.isEmpty() && texts(status.path("audiences")).stream().noneMatch(audiences::contains)) {
            return Optional.empty();
        }
        JsonNode user = status.path("user");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        return Optional.of(new Owner(
                user.path("username").asText(""), user.path("uid").asText(""), texts(user.path("groups")), extra));
    }

    /**
     * Whether somebody may do something.
     *
     * @param verb for example {@code get}
     * @param type with what
     * @param namespace where; empty for everywhere
     * @param name with which one; empty for any
     * @throws dev.slipway.phase.Failure if the cluster does not answer, or does not let Slipway ask
     */
    public boolean mayDo(Owner owner, String verb, ResourceType type, String namespace, String name) {
        ObjectNode body = body(AUTHORIZATION, "SubjectAccessReview");
        ObjectNode spec = body.putObject("spec").put("user", owner.username()).put("uid", owner.uid());
        owner.groups().forEach(spec.putArray("groups")::add);
        ObjectNode extra = spec.putObject("extra");
        owner.extra().forEach((key, values) -> {
            ArrayNode array = extra.putArray(key);
            values.forEach(array::add);
        });
        spec.putObject("resourceAttributes")
                .put("verb", verb)
                .put("group", type.group())
                .put("resource", type.plural())
                .put("namespace", namespace)
                .put("name", name);
        JsonNode status = post("a SubjectAccessReview", "/apis/" + AUTHORIZATION + "/subjectaccessreviews", body)
                .path("status");
        return status.path("allowed").asBoolean() && !status.path("denied").asBoolean();
    }

    private ObjectNode post(String what, String path, ObjectNode body) {
        Operation operation = new Operation("create", null, "", what);
        return rest.object(operation, rest.succeed(operation, RestRequest.of("POST", path, RestRequest.JSON, body)));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    private static ObjectNode body(String apiVersion, String kind) {
        return Json.object().put("apiVersion", apiVersion).put("kind", kind);
    }
}
