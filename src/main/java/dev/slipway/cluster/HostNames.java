package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Looks for names of nodes with dots: legal, but kubeadm's first node is known to hang with them. */
final class HostNames {

    private static final Set<String> KEYS = Set.of("hostname", "hostName", "nodeName");

    private HostNames() {}

    static void check(JsonNode node, String field, Findings findings) {
        node.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            boolean names = KEYS.contains(entry.getKey());
            if (entry.getKey().equals("nodeRegistration")) {
                warn(value.path("name"), field, findings);
            }
            if (names) {
                warn(value, field, findings);
            }
            check(value, field, findings);
        });
        if (node.isArray()) {
            node.forEach(item -> check(item, field, findings));
        }
    }

    private static void warn(JsonNode value, String field, Findings findings) {
        String name = value.asText("");
        // An expression of cloud-init is filled in on the machine; an address is no name.
        if (value.isTextual() && name.contains(".") && !name.contains("{{") && !Cidr.isAddress(name)) {
            findings.warning(field + " names a node '" + name
                    + "': kubeadm may hang on the first node with a dotted name; use a short host name");
        }
    }
}
