package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference of the settings is that of the code. */
class ConfigurationDocsTest {

    private static final Path PAGE = Path.of("docs/configuration.md");

    @Test
    void thePageOfTheSettingsIsThatOfTheCode() throws IOException {
        // given
        String page = ConfigurationPage.render();
        if (Boolean.getBoolean("slipway.regenerate")) {
            Files.writeString(PAGE, page);
        }

        // then
        assertThat(PAGE)
                .as("docs/configuration.md must be written again:"
                        + " mvn test -DskipWeb -Dtest=ConfigurationDocsTest -Dslipway.regenerate=true")
                .hasContent(page);
    }
}
