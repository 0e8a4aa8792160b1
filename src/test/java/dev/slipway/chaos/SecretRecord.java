package dev.slipway.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.JsonApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What became of secrets, by the API server's own audit log. */
final class SecretRecord {

    private static final List<String> MADE_ONCE = List.of("ca", "etcd", "proxy", "sa", "kubeconfig");

    private static final int GATEWAY_TIMEOUT = 504;

    private final Map<String, Integer> created = new TreeMap<>();
    /** Creates whose client went away: they may have been carried out all the same. */
    private final Set<String> unsure = new TreeSet<>();

    private final Map<String, Integer> verbs = new TreeMap<>();
    private final String namespace;

    private SecretRecord(String namespace) {
        this.namespace = namespace;
    }

    static SecretRecord read(Path auditLog, String namespace) throws IOException {
        SecretRecord record = new SecretRecord(namespace);
        try (Stream<String> lines = Files.lines(auditLog)) {
            lines.forEach(line -> record.add(JsonApi.parse(line)));
        }
        return record;
    }

    private void add(JsonNode event) {
        boolean ours = event.at("/objectRef/namespace").asText().equals(namespace);
        int code = event.at("/responseStatus/code").asInt();
        if (ours && code == GATEWAY_TIMEOUT && event.path("verb").asText().equals("create")) {
            unsure.add(event.at("/objectRef/name").asText());
        }
        if (!ours || code >= 300) {
            return;
        }
        String verb = event.path("verb").asText();
        verbs.merge(verb, 1, Integer::sum);
        if (verb.equals("create")) {
            created.merge(event.at("/objectRef/name").asText(), 1, Integer::sum);
        }
    }

    /**
     * Checks that each was created as often as it should.
     *
     * @param present the names of the secrets that are there at the end
     */
    void check(List<Fleet.Member> members, Set<String> present, Violations violations) {
        for (Fleet.Member member : members) {
            for (String purpose : MADE_ONCE) {
                String name = member.name() + "-" + purpose;
                int certain = created.getOrDefault(name, 0);
                // What was never deleted and is there was created; the log lost who was told so.
                int times = certain == 0 && unsure.contains(name) && present.contains(name) ? 1 : certain;
                boolean wanted = wanted(member, purpose);
                violations.check(
                        times == (wanted ? 1 : 0),
                        "secret " + name + " was created " + times + " times, "
                                + (wanted ? "not once" : "it should not exist"));
            }
        }
        for (String verb : List.of("delete", "deletecollection", "update")) {
            violations.check(
                    !verbs.containsKey(verb),
                    verbs.get(verb) + " requests \"" + verb + "\" on secrets were carried out");
        }
    }

    /** Whether a cluster has that secret at the end; one that is refused gets none. */
    private static boolean wanted(Fleet.Member member, String purpose) {
        return switch (member.defect().orElse(Defect.DEAD_CONTROL_PLANE)) {
            case UNKNOWN_CLASS -> false;
            case EXPIRED_AUTHORITY -> purpose.equals("ca");
            case DEAD_CONTROL_PLANE -> true;
        };
    }

    /** How many writes of secrets were carried out, by verb. */
    Map<String, Integer> verbs() {
        return verbs;
    }
}
