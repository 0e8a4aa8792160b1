package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page says who may do what as the tests do. */
class AccessDocsTest {

    private static final Path PAGE = Path.of("docs/security.md");
    private static final String BEGIN = "<!-- written by AccessDocsTest -->\n";
    private static final String END = "<!-- end -->";

    @Test
    void thePageHasTheTableThatIsTested() throws IOException {
        // given
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String expected =
                page.substring(0, begin) + "\n" + AccessTable.markdown() + "\n" + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("slipway.regenerate")) {
            Files.writeString(PAGE, expected);
        }

        // then
        assertThat(PAGE)
                .as("docs/security.md must be written again:"
                        + " mvn test -DskipWeb -Dtest=AccessDocsTest -Dslipway.regenerate=true")
                .hasContent(expected);
    }
}
