package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads and writes the objects of one API server, live and with a deadline for each call.
 *
 * <p>A call whose answer was lost is harmless to repeat: creates find what they made, patches test what they change,
 * deletes name the UID.
 */
public final class KubeClient implements LiveReader, KubeWriter {

    private static final int LIST_RESTARTS = 3;
    private static final int LOG_BYTES = 256 * 1024;

    private final RestClient rest;
    private final Discovery discovery;
    private final ConflictRetry conflicts;
    private final int pageSize;

    KubeClient(RestClient rest, Discovery discovery, ConflictRetry conflicts, int pageSize) {
        this.rest = rest;
        this.discovery = discovery;
        this.conflicts = conflicts;
        this.pageSize = pageSize;
    }

    /** Makes a client with the default limits: 10 s for each call. */
    public static KubeClient of(ApiClient api) {
        return of(api, CallSettings.DEFAULTS);
    }

    /** Makes a client with another deadline for each call. */
    public static KubeClient of(ApiClient api, Duration callTimeout) {
        return of(api, CallSettings.DEFAULTS.withCall(callTimeout));
    }

    static KubeClient of(ApiClient api, CallSettings settings) {
        return of(new RestClient(api, settings, ErrorClassifier.standard()), settings);
    }

    static KubeClient of(RestClient rest, CallSettings settings) {
        return new KubeClient(rest, new Discovery(rest, Clock.systemUTC()), new ConflictRetry(), settings.pageSize());
    }

    @Override
    public Optional<KubeObject> get(ResourceType type, String namespace, String name) {
        Operation operation = Operation.on("get", type, namespace, name);
        Answer answer = rest.call(operation, RestRequest.get(Paths.object(type, namespace, name)));
        if (answer.ok()) {
            return Optional.of(stored(type, operation, answer));
        }
        Failure failure = refused(type, operation, answer);
        if (CallError.OBJECT_ABSENT.is(failure)) {
            return Optional.empty();
        }
        throw failure;
    }

    @Override
    public List<KubeObject> list(ResourceType type, String namespace, Map<String, String> labels) {
        Operation operation = Operation.on("list", type, namespace, "");
        RestRequest first =
                RestRequest.get(Paths.collection(type, namespace)).with("limit", Integer.toString(pageSize));
        RestRequest selected = labels.isEmpty() ? first : first.with("labelSelector", selector(labels));
        for (int restart = 0; ; restart++) {
            try {
                return allPages(type, operation, selected);
            } catch (Failure e) {
                // The continue token outlived the server's history: only a new list is consistent.
                if (!CallError.EXPIRED.is(e) || restart == LIST_RESTARTS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public List<String> log(String namespace, String pod, String container, int lines) {
        Operation operation = Operation.on("read the log of", ResourceType.PODS, namespace, pod);
        RestRequest request = RestRequest.get(Paths.object(ResourceType.PODS, namespace, pod) + "/log")
                .with("container", container)
                .with("tailLines", Integer.toString(lines))
                .with("limitBytes", Integer.toString(LOG_BYTES))
                .accepting("*/*");
        return rest.succeed(operation, request).body().lines().toList();
    }

    @Override
    public Optional<ResourceType> find(String group, String kind) {
        return discovery.find(group, kind);
    }

    @Override
    public List<ResourceType> kinds(String group) {
        return discovery.kinds(group);
    }

    @Override
    public boolean hasSubresource(ResourceType type, String name) {
        return discovery.servesSubresource(type, name);
    }

    @Override
    public Optional<KubeObject> create(ResourceType type, KubeObject object) {
        Operation operation = Operation.on("create", type, object.namespace(), Manifests.name(type, object));
        ObjectNode body = Manifests.manifest(type, object);
        RestRequest request = RestRequest.of("POST", Paths.home(type, object.namespace()), RestRequest.JSON, body)
                .with("fieldManager", FIELD_MANAGER);
        return conflicts.retrying(() -> {
            Answer answer = rest.call(operation, request);
            if (answer.ok()) {
                return Optional.of(stored(type, operation, answer));
            }
            Failure failure = refused(type, operation, answer);
            if (CallError.ALREADY_EXISTS.is(failure)) {
                return Optional.empty();
            }
            throw failure;
        });
    }

    @Override
    public KubeObject apply(ResourceType type, KubeObject object) {
        return apply("apply", type, object, applyRequest(type, object, ""));
    }

    @Override
    public KubeObject applyStatus(ResourceType type, KubeObject object) {
        KubeObject status = KubeObject.named(type, object.namespace(), Manifests.name(type, object));
        if (!object.uid().isEmpty()) {
            ((ObjectNode) status.json().path("metadata")).put("uid", object.uid());
        }
        status.json().set("status", object.at("status"));
        return apply("apply the status of", type, status, applyRequest(type, status, "/status"));
    }

    @Override
    public KubeObject dryRunApply(ResourceType type, KubeObject object) {
        // Strict: a misspelt field is an error here, not silently dropped.
        RestRequest request =
                applyRequest(type, object, "").with("dryRun", "All").with("fieldValidation", "Strict");
        return apply("validate", type, object, request);
    }

    @Override
    public KubeObject mergePatch(ResourceType type, String namespace, String name, ObjectNode patch) {
        return mergePatch(Operation.on("patch", type, namespace, name), type, "", patch);
    }

    @Override
    public KubeObject mergePatchStatus(ResourceType type, String namespace, String name, ObjectNode patch) {
        return mergePatch(Operation.on("patch the status of", type, namespace, name), type, "/status", patch);
    }

    @Override
    public void emptySpecFinalizers(ResourceType type, KubeObject object) {
        Operation operation = Operation.on("finalize", type, object.namespace(), object.name());
        ObjectNode body = object.json().deepCopy();
        body.withObjectProperty("spec").putArray("finalizers");
        Answer answer = rest.call(
                operation,
                RestRequest.of(
                        "PUT",
                        Paths.object(type, object.namespace(), object.name()) + "/finalize",
                        RestRequest.JSON,
                        body));
        if (!answer.ok()) {
            Failure failure = refused(type, operation, answer);
            if (!CallError.OBJECT_ABSENT.is(failure)) {
                throw failure;
            }
        }
    }

    @Override
    public KubeObject addFinalizer(ResourceType type, KubeObject object, String finalizer) {
        String namespace = object.namespace();
        Operation operation = Operation.on("add the finalizer " + finalizer + " to", type, namespace, object.name());
        return conflicts.retrying(() -> {
            KubeObject now = get(type, namespace, object.name())
                    .orElseThrow(() -> CallError.OBJECT_ABSENT.failure(
                            "Could not " + operation.sentence() + ": the object does not exist."));
            if (!now.uid().equals(object.uid())) {
                throw CallError.UID_CHANGED.failure(
                        "Could not " + operation.sentence() + ": the object of that name is another one now.");
            }
            if (now.finalizers().contains(finalizer)) {
                return now;
            }
            return patch(type, operation, namespace, now.name(), FinalizerPatch.add(now, finalizer));
        });
    }

    @Override
    public void removeFinalizer(ResourceType type, String namespace, String name, String finalizer) {
        Operation operation = Operation.on("remove the finalizer " + finalizer + " from", type, namespace, name);
        conflicts.retrying(() -> {
            Optional<KubeObject> object = get(type, namespace, name);
            if (object.isPresent() && object.get().finalizers().contains(finalizer)) {
                remove(type, operation, object.get(), finalizer);
            }
            return object;
        });
    }

    @Override
    public void delete(ResourceType type, String namespace, String name, String uid) {
        if (uid.isEmpty()) {
            throw new IllegalArgumentException("No UID to delete " + type.display() + " " + namespace + "/" + name);
        }
        Operation operation = Operation.on("delete", type, namespace, name);
        ObjectNode options = Json.object();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.putObject("preconditions").put("uid", uid);
        RestRequest request = RestRequest.of("DELETE", Paths.object(type, namespace, name), RestRequest.JSON, options);
        conflicts.retrying(() -> {
            Answer answer = rest.call(operation, request);
            if (!answer.ok() && !goneOrGoing(type, operation, answer, uid)) {
                throw refused(type, operation, answer);
            }
            return answer;
        });
    }

    /** Whether a refused delete is as good as done: no such object, another one, or its deletion is under way. */
    private boolean goneOrGoing(ResourceType type, Operation operation, Answer answer, String uid) {
        Failure failure = refused(type, operation, answer);
        if (CallError.OBJECT_ABSENT.is(failure) || CallError.UID_CHANGED.is(failure)) {
            return true;
        }
        if (!CallError.CONFLICT.is(failure)) {
            return false;
        }
        Optional<KubeObject> now = get(type, operation.namespace(), operation.name());
        return now.isEmpty() || now.get().deleting() || !now.get().uid().equals(uid);
    }

    private void remove(ResourceType type, Operation operation, KubeObject object, String finalizer) {
        try {
            patch(type, operation, object.namespace(), object.name(), FinalizerPatch.remove(object, finalizer));
        } catch (Failure e) {
            // Gone in between: it needs no finalizer any more.
            if (!CallError.OBJECT_ABSENT.is(e)) {
                throw e;
            }
        }
    }

    private KubeObject patch(ResourceType type, Operation operation, String namespace, String name, ArrayNode patch) {
        RestRequest request = RestRequest.of(
                        "PATCH", Paths.object(type, namespace, name), RestRequest.JSON_PATCH, patch)
                .with("fieldManager", FIELD_MANAGER);
        Answer answer = rest.call(operation, request);
        if (FinalizerPatch.testFailed(answer)) {
            throw CallError.CONFLICT.failure(
                    "Could not " + operation.sentence() + ": others change the finalizers at the same time.");
        }
        return expectStored(type, operation, answer);
    }

    private KubeObject mergePatch(Operation operation, ResourceType type, String subresource, ObjectNode patch) {
        String path = Paths.object(type, operation.namespace(), operation.name()) + subresource;
        RestRequest request =
                RestRequest.of("PATCH", path, RestRequest.MERGE_PATCH, patch).with("fieldManager", FIELD_MANAGER);
        return conflicts.retrying(() -> write(type, operation, request));
    }

    private KubeObject apply(String verb, ResourceType type, KubeObject object, RestRequest request) {
        Operation operation = Operation.on(verb, type, object.namespace(), object.name());
        return conflicts.retrying(() -> write(type, operation, request));
    }

    private static RestRequest applyRequest(ResourceType type, KubeObject object, String subresource) {
        String path = Paths.object(type, object.namespace(), Manifests.name(type, object)) + subresource;
        return RestRequest.of("PATCH", path, RestRequest.APPLY, Manifests.manifest(type, object))
                .with("fieldManager", FIELD_MANAGER)
                .with("force", "true");
    }

    private KubeObject write(ResourceType type, Operation operation, RestRequest request) {
        return expectStored(type, operation, rest.call(operation, request));
    }

    private List<KubeObject> allPages(ResourceType type, Operation operation, RestRequest first) {
        List<KubeObject> objects = new ArrayList<>();
        String next = "";
        do {
            Answer answer = rest.call(operation, next.isEmpty() ? first : first.with("continue", next));
            if (!answer.ok()) {
                throw listRefused(type, operation, answer);
            }
            ObjectNode page = rest.object(operation, answer);
            page.path("items").forEach(item -> objects.add(Manifests.typed(type, (ObjectNode) item)));
            next = page.path("metadata").path("continue").asText("");
        } while (!next.isEmpty());
        return objects;
    }

    /** A list is never "not found": then the kind is absent, whatever discovery still says. */
    private Failure listRefused(ResourceType type, Operation operation, Answer answer) {
        Failure failure = refused(type, operation, answer);
        return CallError.OBJECT_ABSENT.is(failure) ? kindAbsent(type, operation) : failure;
    }

    /** Tells the meanings of 404 apart: the object's own, the namespace's, or the kind is not served. */
    private Failure refused(ResourceType type, Operation operation, Answer answer) {
        Failure failure = rest.errors().refused(operation, answer);
        boolean namesObject = !operation.name().isEmpty()
                && operation.name().equals(answer.details().path("name").asText());
        if (!CallError.OBJECT_ABSENT.is(failure) || namesObject || discovery.serves(type)) {
            return failure;
        }
        return kindAbsent(type, operation);
    }

    private Failure kindAbsent(ResourceType type, Operation operation) {
        discovery.forget(type);
        return CallError.KIND_ABSENT.failure("Could not " + operation.sentence() + ": " + rest.server()
                + " does not serve " + type.display() + " in version " + type.version() + ".");
    }

    private KubeObject expectStored(ResourceType type, Operation operation, Answer answer) {
        if (!answer.ok()) {
            throw refused(type, operation, answer);
        }
        return stored(type, operation, answer);
    }

    private KubeObject stored(ResourceType type, Operation operation, Answer answer) {
        return Manifests.typed(type, rest.object(operation, answer));
    }

    private static String selector(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(","));
    }
}
