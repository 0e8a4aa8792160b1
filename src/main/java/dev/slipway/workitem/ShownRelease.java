package dev.slipway.workitem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.helm.InstalledRelease;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Failure;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Shows in a work item's status what is installed; best effort, for people: nothing decides by it. */
@Component
public class ShownRelease {

    private static final Logger LOG = LoggerFactory.getLogger(ShownRelease.class);

    private final KubeWriter writer;

    public ShownRelease(KubeWriter writer) {
        this.writer = writer;
    }

    /** Shows it, unless it is shown already. */
    public void show(WorkItem item, ItemRelease release, Optional<InstalledRelease> found) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("name", release.name().name()).put("namespace", release.name().namespace());
        found.ifPresent(
                installed -> shown.put("revision", installed.revision()).put("chartVersion", installed.chartVersion()));
        JsonNode before = item.object().at("status", "release");
        if (before.equals(shown)) {
            return;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("status").set("release", shown);
        try {
            writer.mergePatchStatus(ResourceType.WORK_ITEMS, item.namespace(), item.name(), patch);
        } catch (Failure e) {
            LOG.info("What is installed is not shown in the status of {}: {}", item.display(), e.getMessage());
        }
    }
}
