package dev.slipway.api;

import dev.slipway.diagnosis.Diagnosis;
import dev.slipway.diagnosis.Page;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/** The shapes in which a diagnosis is given; JSON unless asked for another. */
enum DiagnosisFormat {
    JSON(MediaType.APPLICATION_JSON, "json", DiagnosisInfo::of),
    TEXT(new MediaType("text", "plain", StandardCharsets.UTF_8), "txt", Page::text),
    MARKDOWN(new MediaType("text", "markdown", StandardCharsets.UTF_8), "md", Page::markdown);

    static final String MARKDOWN_VALUE = "text/markdown";

    @SuppressWarnings("ImmutableEnumChecker") // MediaType is immutable, it does not say so
    private final MediaType type;

    private final String extension;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    private final Function<Diagnosis, Object> body;

    DiagnosisFormat(MediaType type, String extension, Function<Diagnosis, Object> body) {
        this.type = type;
        this.extension = extension;
        this.body = body;
    }

    /** The one that the client likes best; it accepts at least one of them. */
    static DiagnosisFormat of(List<MediaType> accepted) {
        List<MediaType> sorted = new ArrayList<>(accepted);
        MimeTypeUtils.sortBySpecificity(sorted);
        return sorted.stream()
                .flatMap(wish -> Arrays.stream(values()).filter(format -> wish.includes(format.type)))
                .findFirst()
                .orElse(JSON);
    }

    MediaType type() {
        return type;
    }

    /** The ending of a file's name. */
    String extension() {
        return extension;
    }

    Object body(Diagnosis diagnosis) {
        return body.apply(diagnosis);
    }
}
