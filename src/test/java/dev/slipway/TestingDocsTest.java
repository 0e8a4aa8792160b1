package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of the cases is that of the tests. */
class TestingDocsTest {

    private static final Path PAGE = Path.of("docs/testing.md");

    @Test
    void theTableOfTheCasesIsThatOfTheTests() throws IOException {
        // given
        String page = TestingPage.render(Files.readString(PAGE));
        if (Boolean.getBoolean("slipway.regenerate")) {
            Files.writeString(PAGE, page);
        }

        // then
        assertThat(PAGE)
                .as("docs/testing.md must be written again:"
                        + " mvn test -DskipWeb -Dtest=TestingDocsTest -Dslipway.regenerate=true")
                .hasContent(page);
    }

    @Test
    void eachCaseHasATestAndEachTagIsACase() {
        assertThat(TestingPage.loose()).isEmpty();
    }
}
