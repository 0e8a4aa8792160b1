package dev.slipway.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * What somebody asks for by an annotation.
 *
 * @param name its name
 * @param value its value
 * @param by who set it, as far as Kubernetes tells: it knows programs, not people
 * @param occasion names this very setting of it: the same after a restart and on every node, another one when it is set anew
 */
record Annotation(String name, String value, String by, String occasion) {

    /** Asks for a retry of the current phases, whatever its value. */
    static final String RETRY = WorkloadCluster.ANNOTATION_PREFIX + "retry";

    /** Holds all phases as long as it stands with the value {@code true}. */
    static final String PAUSED = WorkloadCluster.ANNOTATION_PREFIX + "paused";

    /** Who, where Kubernetes does not tell. */
    static final String KUBERNETES = "kubernetes";

    private static final int LONGEST_NAME = 128;

    /** Whether an object has one of them. */
    static boolean isOn(KubeObject object) {
        return object.annotations().containsKey(RETRY) || object.annotations().containsKey(PAUSED);
    }

    /** The annotation of that name on an object; empty if it has none. */
    static Optional<Annotation> of(KubeObject object, String name) {
        return Optional.ofNullable(object.annotations().get(name)).map(value -> {
            Setting setting = setting(object, name);
            String who = setting.manager().isEmpty() ? KUBERNETES : KUBERNETES + " (" + setting.manager() + ")";
            String text = String.join("\n", object.uid(), name, value, setting.manager(), setting.time());
            return new Annotation(
                    name,
                    value,
                    who.length() <= LONGEST_NAME ? who : who.substring(0, LONGEST_NAME - 1) + "…",
                    "annotation/" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)));
        });
    }

    /**
     * Who set it when.
     *
     * @param manager the field manager; empty if nobody is said to
     * @param time to the second
     */
    private record Setting(String manager, String time) {}

    private static Setting setting(KubeObject object, String name) {
        // Without managed fields only the version tells one setting from the next.
        Setting latest = new Setting("", object.resourceVersion());
        for (JsonNode entry : object.at("metadata", "managedFields")) {
            boolean owns = entry.path("fieldsV1")
                    .path("f:metadata")
                    .path("f:annotations")
                    .has("f:" + name);
            Setting setting = new Setting(
                    entry.path("manager").asText(), entry.path("time").asText());
            // Times in this form sort as texts.
            if (owns && (latest.manager().isEmpty() || setting.time().compareTo(latest.time()) > 0)) {
                latest = setting;
            }
        }
        return latest;
    }
}
