package dev.slipway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of what became of secrets finds what it is there to find. */
class SecretRecordTest {

    private static final List<Fleet.Member> ONE = List.of(new Fleet.Member("c", false, Optional.empty()));

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void createAllOnce() {
        for (String purpose : List.of("ca", "etcd", "proxy", "sa", "kubeconfig")) {
            log.add(event("create", "c-" + purpose, 201));
        }
    }

    @Test
    void isContentWhenEachSecretWasCreatedOnce() throws Exception {
        // given
        log.add(event("create", "c-ca", 409));
        log.add(event("patch", "c-ca", 200));

        // then
        assertThat(violations(ONE)).isEmpty();
    }

    @Test
    void findsASecretThatWasCreatedTwice() throws Exception {
        // given
        log.add(event("create", "c-ca", 201));

        // then
        assertThat(violations(ONE)).containsExactly("secret c-ca was created 2 times, not once");
    }

    @Test
    void trustsWhatIsThereWhenTheClientOfTheCreateHadGone() throws Exception {
        // given
        log.set(0, event("create", "c-ca", 504));
        log.set(1, event("create", "c-etcd", 504));

        // then
        assertThat(violations(ONE)).containsExactly("secret c-etcd was created 0 times, not once");
    }

    @Test
    void findsASecretThatIsMissing() throws Exception {
        // given
        log.remove(0);

        // then
        assertThat(violations(ONE)).containsExactly("secret c-ca was created 0 times, not once");
    }

    @Test
    void findsADeletedSecret() throws Exception {
        // given
        log.add(event("delete", "c-ca", 200));

        // then
        assertThat(violations(ONE)).containsExactly("1 requests \"delete\" on secrets were carried out");
    }

    @Test
    void findsWhatWasMadeForAClusterThatMustBeRefused() throws Exception {
        // then
        assertThat(violations(List.of(new Fleet.Member("c", false, Optional.of(Defect.UNKNOWN_CLASS)))))
                .hasSize(5)
                .allMatch(line -> line.endsWith("it should not exist"));
    }

    private List<String> violations(List<Fleet.Member> members) throws Exception {
        Violations violations = new Violations();
        SecretRecord.read(Files.write(folder.resolve("audit.log"), log), "chaos")
                .check(members, Set.of("c-ca"), violations);
        return violations.found();
    }

    private static String event(String verb, String name, int code) {
        return """
                {"verb": "%s", "objectRef": {"resource": "secrets", "namespace": "chaos", "name": "%s"}, \
                "responseStatus": {"code": %d}}"""
                .formatted(verb, name, code);
    }
}
