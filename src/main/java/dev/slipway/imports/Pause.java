package dev.slipway.imports;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.CapiCluster;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that pauses a Cluster.
 *
 * @param what the field or annotation
 * @param who who set it, by the server's own book-keeping, with a blank in front; may be empty
 * @param remedy the command that ends it
 */
public record Pause(String what, String who, String remedy) {

    /** All that pauses the Cluster. */
    public static List<Pause> of(CapiCluster cluster) {
        List<Pause> pauses = new ArrayList<>();
        String object = " cluster.cluster.x-k8s.io " + cluster.name() + " -n " + cluster.namespace();
        if (cluster.object().at("spec", "paused").asBoolean()) {
            pauses.add(new Pause(
                    "spec.paused is true",
                    owner(cluster, "f:spec", "f:paused"),
                    "kubectl patch" + object + " --type merge -p '{\"spec\":{\"paused\":false}}'"));
        }
        if (cluster.object().annotations().containsKey(CapiCluster.PAUSED)) {
            pauses.add(new Pause(
                    "it has the annotation " + CapiCluster.PAUSED,
                    owner(cluster, "f:metadata", "f:annotations", "f:" + CapiCluster.PAUSED),
                    "kubectl annotate" + object + " " + CapiCluster.PAUSED + "-"));
        }
        return pauses;
    }

    /** One sentence for people. */
    public String sentence() {
        return what + who + "; to let it go on: " + remedy;
    }

    private static String owner(CapiCluster cluster, String... field) {
        for (JsonNode entry : cluster.object().at("metadata", "managedFields")) {
            JsonNode node = entry.path("fieldsV1");
            for (String step : field) {
                node = node.path(step);
            }
            if (!node.isMissingNode()) {
                return " (set by " + entry.path("manager").asText("somebody") + " at "
                        + entry.path("time").asText("an unknown time") + ")";
            }
        }
        return "";
    }
}
