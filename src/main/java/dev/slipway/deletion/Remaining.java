package dev.slipway.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Objects that are still there, as just read live.
 *
 * @param objects in the order of their kinds and names
 */
public record Remaining(List<KubeObject> objects) {

    private static final int SHOWN = 5;

    public Remaining {
        objects = objects.stream()
                .sorted(Comparator.comparing(Remaining::isHeld)
                        .reversed()
                        .thenComparing(KubeObject::kind)
                        .thenComparing(KubeObject::name))
                .toList();
    }

    /** Whether nothing is left. */
    public boolean none() {
        return objects.isEmpty();
    }

    /** For people: each object, what holds it, and who owns it. */
    public String sentence() {
        List<String> texts = new ArrayList<>(
                objects.stream().limit(SHOWN).map(Remaining::describe).toList());
        if (objects.size() > SHOWN) {
            texts.add("and " + (objects.size() - SHOWN) + " more");
        }
        return "waiting for " + objects.size() + (objects.size() == 1 ? " object: " : " objects: ")
                + String.join("; ", texts);
    }

    /** For people: {@code Machine ns/x, held by its finalizers a, b (owner MachineSet y)}. */
    static String describe(KubeObject object) {
        StringBuilder text = new StringBuilder(name(object));
        if (!object.deleting()) {
            text.append(", not being deleted yet");
        } else if (holders(object).isEmpty()) {
            text.append(", being deleted");
        } else {
            text.append(", held by ").append(String.join(", ", holders(object)));
        }
        owner(object, text);
        cause(object, text);
        return text.toString();
    }

    /** {@code Machine <namespace>/<name>}. */
    public static String name(KubeObject object) {
        String namespace = object.namespace().isEmpty() ? "" : object.namespace() + "/";
        return object.kind() + " " + namespace + object.name();
    }

    /** Whether it would be gone but for its finalizers: what others wait for, and so what people see first. */
    private static boolean isHeld(KubeObject object) {
        return object.deleting() && !holders(object).isEmpty();
    }

    /** Its finalizers, and those that some kinds have in their spec. */
    private static List<String> holders(KubeObject object) {
        List<String> holders = new ArrayList<>(object.finalizers());
        object.at("spec", "finalizers").forEach(finalizer -> holders.add(finalizer.asText()));
        return holders;
    }

    private static void owner(KubeObject object, StringBuilder text) {
        JsonNode owner = object.at("metadata", "ownerReferences").path(0);
        if (!owner.isMissingNode()) {
            text.append(" (owner ")
                    .append(owner.path("kind").asText())
                    .append(' ')
                    .append(owner.path("name").asText())
                    .append(')');
        }
    }

    /** What its controller says of the deletion; for people only. */
    private static void cause(KubeObject object, StringBuilder text) {
        object.condition("Deleting")
                .map(condition -> condition.path("message").asText(""))
                .or(() -> object.text("status", "message"))
                .or(() -> object.condition("Ready")
                        .filter(ready -> "False".equals(ready.path("status").asText()))
                        .map(ready -> ready.path("message").asText("")))
                .filter(message -> !message.isEmpty())
                .ifPresent(message -> text.append(": ").append(message));
    }

    /** What must change for a deletion to move: the objects, whether they are being deleted, and what holds each. */
    String fingerprint() {
        CRC32 sum = new CRC32();
        for (KubeObject object : objects) {
            String state = object.kind()
                    + '/'
                    + object.uid()
                    + '/'
                    + object.deleting()
                    + '/'
                    + holders(object).stream().sorted().toList()
                    + '\n';
            sum.update(state.getBytes(StandardCharsets.UTF_8));
        }
        return objects.size() + "-" + Long.toHexString(sum.getValue());
    }

    /** What a person can do when nothing moves. */
    List<String> actions() {
        List<String> actions = new ArrayList<>();
        objects.stream()
                .filter(object -> !holders(object).isEmpty())
                .findFirst()
                .ifPresent(held -> actions.add("Find out why the controller that owns the finalizer "
                        + holders(held).get(0) + " does not release " + name(held)
                        + ": is it running, and are its credentials valid? See its log"));
        actions.add("Once its cause is gone, decide RETRY: the deletion goes on where it stands");
        actions.add("If nothing else helps: decide FORCE with the typed name. It removes finalizers and records only;"
                + " what they stand for may go on running and costing money");
        return actions;
    }
}
