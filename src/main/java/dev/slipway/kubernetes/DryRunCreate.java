package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets the API server go through a creation without doing it. */
final class DryRunCreate implements ObjectCheck {

    /** Fields that the schema does not know have no causes, they stand in the message. */
    private static final Pattern STRICT = Pattern.compile("(unknown|duplicate) field \"([^\"]+)\"");

    private static final int LONGEST = 600;

    private final RestClient rest;

    DryRunCreate(RestClient rest) {
        this.rest = rest;
    }

    @Override
    public Checked check(ResourceType type, KubeObject object) {
        Operation operation = Operation.on("validate", type, object.namespace(), Manifests.name(type, object));
        ObjectNode body = Manifests.manifest(type, object);
        RestRequest request = RestRequest.of("POST", Paths.home(type, object.namespace()), RestRequest.JSON, body)
                .with("fieldManager", KubeWriter.FIELD_MANAGER)
                .with("dryRun", "All")
                .with("fieldValidation", "Strict");
        Answer answer = rest.call(operation, request);
        if (answer.ok()) {
            return new Checked(Manifests.typed(type, rest.object(operation, answer)), false, List.of());
        }
        Failure failure = rest.errors().refused(operation, answer);
        if (CallError.ALREADY_EXISTS.is(failure)) {
            return new Checked(null, true, List.of());
        }
        if (CallError.NAMESPACE_ABSENT.is(failure) || CallError.NAMESPACE_TERMINATING.is(failure)) {
            return refused(new Wrong(
                    "metadata.namespace", "the namespace " + object.namespace() + " does not exist, or is going"));
        }
        if (CallError.INVALID_OBJECT.is(failure)) {
            return new Checked(null, false, wrong(answer));
        }
        if (CallError.ADMISSION_DENIED.is(failure)) {
            return refused(new Wrong("", cut(answer.message())));
        }
        throw failure;
    }

    private static Checked refused(Wrong wrong) {
        return new Checked(null, false, List.of(wrong));
    }

    private static List<Wrong> wrong(Answer answer) {
        List<Wrong> wrong = new ArrayList<>();
        for (JsonNode cause : answer.details().path("causes")) {
            String field = cause.path("field").asText("");
            wrong.add(new Wrong(
                    field.equals("<nil>") ? "" : field,
                    cut(cause.path("message").asText(""))));
        }
        if (wrong.isEmpty()) {
            Matcher strict = STRICT.matcher(answer.message());
            while (strict.find()) {
                wrong.add(new Wrong(strict.group(2), "There is no such field, or it is there twice"));
            }
        }
        return wrong.isEmpty() ? List.of(new Wrong("", cut(answer.message()))) : List.copyOf(wrong);
    }

    private static String cut(String message) {
        return message.length() > LONGEST ? message.substring(0, LONGEST) + "…" : message;
    }
}
