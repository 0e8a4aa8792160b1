package dev.slipway.cases;

import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.faults.FaultInjector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Each status of a WorkloadCluster that Slipway has stored, as the server's answers on the wire show it. */
final class Published {

    private final List<ObjectNode> statuses = new CopyOnWriteArrayList<>();

    private Published() {}

    /** Begins to look. */
    static Published of(FaultInjector faults, String namespace) {
        Published published = new Published();
        faults.on(verb("patch"), resource("workloadclusters"), subresource("status"), namespace(namespace))
                .rewrite(object -> {
                    published.statuses.add((ObjectNode) object.path("status").deepCopy());
                    return object;
                });
        return published;
    }

    List<String> phases() {
        return statuses.stream().map(status -> status.path("phase").asText()).toList();
    }

    List<String> reasons() {
        return statuses.stream()
                .map(status -> status.path("flow").path("reason").asText())
                .toList();
    }

    /** All of it, for texts that must not be in there. */
    String text() {
        return statuses.toString();
    }
}
