package dev.slipway;

import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** Writes docs/configuration.md from the settings' types and from application.yaml: what is read up is what runs. */
final class ConfigurationPage {

    private static final String OWN = "slipway.";
    private static final Pattern PARAMETER = Pattern.compile("@param (\\w+) (.+?)(?=@param|$)", Pattern.DOTALL);

    private static final String HEAD =
            """
            # Configuration

            <!-- Generated from the @ConfigurationProperties and from application.yaml: change those, then run
                 mvn test -DskipWeb -Dtest=ConfigurationDocsTest -Dslipway.regenerate=true -->

            Settings are Spring Boot properties. Each can be given as an argument (`--slipway.phases.threads=32`), in an
            `application.yaml` beside the jar, or as an environment variable: in capitals, dots as underscores, dashes left
            out (`SLIPWAY_PHASES_AUTOTHRESHOLD`). Durations are written `500ms`, `10s`, `5m`, `1h`. A value that makes no
            sense ends the start with a message that names it.

            What to set for an installation is in [operations.md](operations.md).
            """;

    private static final String OTHERS =
            """

            ## What Slipway presets of Spring Boot and Camunda

            These are defaults of Slipway for settings of the frameworks; each can be changed like the ones above. The values
            of `camunda.bpm` were measured: change them one at a time, with a reason.

            | property | default |
            |---|---|
            """;

    private ConfigurationPage() {}

    /** Renders the page. */
    static String render() {
        Map<String, String> preset = applicationYaml();
        StringBuilder page = new StringBuilder(HEAD);
        for (Class<?> type : settings()) {
            String prefix = type.getAnnotation(ConfigurationProperties.class).value();
            page.append("\n## `").append(prefix).append("`\n\n").append(sentence(type));
            page.append("\n\n| property | default | meaning |\n|---|---|---|\n");
            rows(page, prefix, type, bound(prefix, type), preset);
        }
        page.append("\n## Data\n\n| property | default | meaning |\n|---|---|---|\n");
        row(
                page,
                "slipway.data-directory",
                preset.get("slipway.data-directory"),
                "where the H2 database lies; not used with PostgreSQL");
        page.append(OTHERS);
        preset.forEach((key, value) -> {
            if (!key.startsWith(OWN)) {
                page.append("| `%s` | `%s` |\n".formatted(key, value.isEmpty() ? "\"\"" : value));
            }
        });
        return page.toString();
    }

    private static List<Class<?>> settings() {
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        List<Class<?>> types = new ArrayList<>();
        scanner.findCandidateComponents("dev.slipway")
                .forEach(found -> types.add(ClassUtils.resolveClassName(
                        found.getBeanClassName(), ConfigurationPage.class.getClassLoader())));
        types.sort(Comparator.comparing(
                type -> type.getAnnotation(ConfigurationProperties.class).value()));
        return types;
    }

    /** The settings as they are when nobody sets anything. */
    private static Object bound(String prefix, Class<?> type) {
        return new Binder(new MapConfigurationPropertySource()).bindOrCreate(prefix, type);
    }

    private static void rows(
            StringBuilder page, String prefix, Class<?> type, Object values, Map<String, String> preset) {
        Map<String, String> meanings = meanings(type);
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + kebab(component.getName());
            Object value = value(component, values);
            if (component.getType().isRecord()) {
                rows(page, name, component.getType(), value, preset);
                continue;
            }
            String meaning = meanings.get(component.getName());
            if (meaning == null) {
                throw new IllegalStateException(type.getName() + ": the Javadoc has no @param " + component.getName());
            }
            String standard = preset.getOrDefault(name, text(value));
            row(page, name, standard, meaning + choices(component.getType()) + limit(type, component));
        }
    }

    private static Object value(RecordComponent component, Object values) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void row(StringBuilder page, String name, String value, String meaning) {
        page.append("| `%s` | %s | %s |\n".formatted(name, value.isEmpty() ? "" : "`" + value + "`", meaning));
    }

    private static String text(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Duration duration) {
            return duration(duration);
        }
        if (value instanceof Collection<?> many) {
            return many.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        if (value instanceof Enum<?> choice) {
            return choice.name().toLowerCase(Locale.ROOT);
        }
        return value.toString().replaceFirst("\\.0$", "");
    }

    private static String duration(Duration duration) {
        if (duration.toMillisPart() > 0) {
            return duration.toMillis() + "ms";
        }
        if (duration.toSecondsPart() > 0 || duration.toMinutes() == 1) {
            return duration.toSeconds() + "s";
        }
        return duration.toMinutesPart() > 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
    }

    private static String choices(Class<?> type) {
        if (!type.isEnum()) {
            return "";
        }
        return Arrays.stream(type.getEnumConstants())
                .map(choice -> "`" + text(choice) + "`")
                .collect(Collectors.joining(", ", "; one of ", ""));
    }

    private static String limit(Class<?> type, RecordComponent component) {
        Field field;
        try {
            field = type.getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
        if (field.isAnnotationPresent(Min.class)) {
            return "; at least " + field.getAnnotation(Min.class).value();
        }
        if (field.isAnnotationPresent(DecimalMin.class)) {
            return "; at least " + field.getAnnotation(DecimalMin.class).value();
        }
        if (field.isAnnotationPresent(DurationMin.class)) {
            DurationMin least = field.getAnnotation(DurationMin.class);
            return "; at least "
                    + duration(Duration.ofDays(least.days())
                            .plusSeconds(least.seconds())
                            .plusMillis(least.millis()));
        }
        return "";
    }

    /** What the Javadoc of a record says of its components. */
    private static Map<String, String> meanings(Class<?> type) {
        Map<String, String> meanings = new TreeMap<>();
        Matcher parameters = PARAMETER.matcher(javadoc(type));
        while (parameters.find()) {
            meanings.put(parameters.group(1), markdown(parameters.group(2)));
        }
        return meanings;
    }

    private static String sentence(Class<?> type) {
        return markdown(javadoc(type).split("@param", 2)[0]);
    }

    private static String markdown(String javadoc) {
        return javadoc.strip()
                .replaceAll("\\s+", " ")
                .replaceAll("\\{@\\w+ ([^}]*)}", "`$1`")
                .replace("|", "\\|");
    }

    private static String javadoc(Class<?> type) {
        Class<?> outer = type.getDeclaringClass() == null ? type : type.getDeclaringClass();
        Path source = Path.of("src/main/java", outer.getName().replace('.', '/') + ".java");
        String text;
        try {
            text = Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String before = text.split("record " + type.getSimpleName() + "\\(", 2)[0];
        String comment = before.substring(before.lastIndexOf("/**") + 3, before.lastIndexOf("*/"));
        return comment.lines()
                .map(line -> line.strip().replaceFirst("^\\*\\s?", ""))
                .collect(Collectors.joining(" "));
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static Map<String, String> applicationYaml() {
        try {
            Map<String, String> values = new TreeMap<>();
            for (PropertySource<?> source :
                    new YamlPropertySourceLoader().load("yaml", new ClassPathResource("application.yaml"))) {
                ((MapPropertySource) source)
                        .getSource()
                        .forEach((key, value) -> values.put(
                                key,
                                String.valueOf(
                                        value instanceof OriginTrackedValue tracked ? tracked.getValue() : value)));
            }
            return values;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
