package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken out of foreign words, and what must stay. */
class RedactionTest {

    static final String PEM =
            "-----BEGIN RSA PRIVATE KEY-----\nMIIPLANTEDkeymaterial\nMORE\n-----END RSA PRIVATE KEY-----";

    static Stream<String> secrets() {
        return Stream.of(
                "cannot parse " + PEM + " of the secret",
                "cannot parse " + PEM.replace("\n", "; "),
                "cannot parse " + PEM.replace("\n", "\\n"),
                // cut off by somebody's limit
                "cannot parse -----BEGIN EC PRIVATE KEY-----\nPLANTED",
                "client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpQLANTED",
                "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpQLANTED in the middle",
                "sent Authorization: Bearer PLANTED-opaque",
                "sent authorization: bearer plantedPLANTED1",
                "\"Authorization\":\"Basic UExBTlRFRDpQTEFOVEVE+PLANTED\"",
                "Authorization: PLANTEDraw",
                "token eyJhbGciOiJSUzI1NiJ9.eyJPLANTED.sigPLANTED refused",
                "Get \"https://admin:PLANTED@10.0.0.1:6443/readyz\": refused",
                "Get \"https://PLANTED@10.0.0.1/readyz\": refused",
                "join with plante.plantedplanted00 failed",
                "vsphere login failed: user=x password=PLANTED",
                "{\"password\": \"PLANTED\"}",
                "password: 'PLANTED'",
                "OS_PASSWORD=PLANTED",
                "secretAccessKey=PLANTED",
                "https://blob.example/x?sig=PLANTED&se=1",
                "clientSecret: PLANTED1",
                "token=PLANTED");
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void aSecretIsBlanked(String text) {
        assertThat(Redaction.clean(text)).doesNotContainIgnoringCase("PLANTED").contains("blanked");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Secret team-a/c1-ca, tls.key: the private key does not belong to the certificate",
                "\"CN=x\" is not a certificate authority (basic constraints lack CA:TRUE)",
                "bearer authentication is not configured",
                "the token: expired",
                "failed to get secret: not found",
                "subject CN=kubernetes, SANs [10.0.0.1, c1.example.com], notAfter 2026-01-01T00:00:00Z, SHA-256 AA:BB:CC",
                "Could not read /readyz: no connection to https://10.0.0.1:6443 (Connection refused)",
                "cni plugin not initialized",
                "image registry.example.com/a/b@sha256:0123 not found"
            })
    void proseStays(String text) {
        assertThat(Redaction.clean(text)).isEqualTo(text);
    }

    @Test
    void aTextStaysOnOneLineWithoutControlCharacters() {
        assertThat(Redaction.clean("a\nb\r\n\tc\u001b[31md\u2028e")).isEqualTo("a b c [31md e");
    }

    @Test
    void aLongTextIsCutAfterItsSecretsAreOut() {
        // given
        String text = "x".repeat(790) + " password=PLANTED";

        // then
        assertThat(Redaction.clean(text)).hasSize(801).doesNotContain("PLA").endsWith("…");
    }
}
