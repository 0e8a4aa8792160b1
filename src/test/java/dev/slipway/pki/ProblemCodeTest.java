package dev.slipway.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemCodeTest {

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void isDocumentedWithClassAndSentence(ProblemCode code) throws Exception {
        // given
        String row = "| `" + code.code() + "` | " + code.errorClass() + " | " + code.appears() + " | ";

        // then
        assertThat(Files.readString(Path.of("docs", "certificates.md")))
                .as("the error codes in docs/certificates.md")
                .contains(row);
    }
}
