package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation holds together: no link leads nowhere, and the README stays short. */
class DocsLinksTest {

    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final int LONGEST_README = 150;

    @Test
    void everyLinkOfTheDocumentationLeadsSomewhere() throws IOException {
        // given
        List<String> broken = new ArrayList<>();

        // when
        for (Path page : pages()) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                Path target = links.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(links.group(1)).normalize();
                boolean found = Files.exists(target)
                        && (links.group(2) == null || anchors(target).contains(links.group(2)));
                if (!found) {
                    broken.add(page + ": " + links.group());
                }
            }
        }

        // then
        assertThat(broken).as("links to files or headings that do not exist").isEmpty();
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(Path.of("README.md")))
                .as("depth belongs into docs/")
                .hasSizeLessThanOrEqualTo(LONGEST_README);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> here = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(here, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** The headings of a page, as links name them. */
    private static Set<String> anchors(Path page) {
        try (Stream<String> lines = Files.lines(page)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("^#+ ", "")
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N}\\- _]", "")
                            .replace(' ', '-'))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
