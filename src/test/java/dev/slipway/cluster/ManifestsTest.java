package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kubernetes.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests are read as Kubernetes' own tools read them: the expectations were taken from their library. */
class ManifestsTest {

    private static final String HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";

    @Test
    void readsAllDocumentsAndSkipsEmptyOnes() throws Manifests.Unreadable {
        // when
        List<KubeObject> objects = Manifests.read("---\n# only a comment\n---\n" + HEAD + "---\n" + HEAD + "---\n");

        // then
        assertThat(objects).hasSize(2).allMatch(object -> object.name().equals("x"));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            yes                  | true
            off                  | false
            True                 | true
            tRue                 | "tRue"
            ~                    | null
            ``                   | null
            1e3                  | 1000
            1.5                  | 1.5
            1.0                  | 1
            .5                   | 0.5
            +1                   | 1
            014                  | 12
            08                   | 8
            0x1F                 | 31
            1_000                | 1000
            9223372036854775808  | 9223372036854775808
            12:30:45             | "12:30:45"
            52:54:00:12:34:56    | "52:54:00:12:34:56"
            2020-01-01           | "2020-01-01"
            1.2.3                | "1.2.3"
            v1.36.3              | "v1.36.3"
            "1"                  | "1"
            =                    | "="
            !!binary aGk=        | "hi"
            """)
    void readsScalarsAsKubernetesToolsDo(String yaml, String json) throws Manifests.Unreadable {
        // when
        KubeObject object = Manifests.read(HEAD + "v: " + yaml + "\n").get(0);

        // then
        assertThat(object.at("v")).hasToString(json);
    }

    @Test
    void expandsAnchorsAndMerges() throws Manifests.Unreadable {
        // when
        KubeObject object = Manifests.read(HEAD + "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: *a\n")
                .get(0);

        // then
        assertThat(object.at("b")).hasToString("{\"x\":1,\"y\":3}");
        assertThat(object.at("c")).hasToString("{\"x\":1,\"y\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- a",
                "just text",
                "kind: ConfigMap\nmetadata: {name: x}",
                "apiVersion: v1\nmetadata: {name: x}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x}",
                "apiVersion: v1\nkind: List\nitems: []",
                HEAD + "kind: Secret",
                HEAD + "spec: text",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: [a]}",
                HEAD + "a: [1",
                HEAD + "a: !!javax.script.ScriptEngineManager [x]",
                HEAD + "a: &a [*a]"
            })
    void refusesWhatIsNoManifest(String yaml) {
        assertThatThrownBy(() -> Manifests.read(yaml)).isInstanceOf(Manifests.Unreadable.class);
    }

    @Test
    void refusesBombsQuickly() {
        // given
        StringBuilder laughs = new StringBuilder(HEAD).append("a0: &a0 [x]\n");
        for (int i = 1; i < 20; i++) {
            String alias = "*a" + (i - 1);
            laughs.append("a" + i + ": &a" + i + " [" + String.join(",", List.of(alias, alias, alias, alias)) + "]\n");
        }

        // then
        assertThatThrownBy(() -> Manifests.read(laughs.toString())).isInstanceOf(Manifests.Unreadable.class);
        assertThatThrownBy(() -> Manifests.read(HEAD + "a: " + "[".repeat(100) + "]".repeat(100)))
                .isInstanceOf(Manifests.Unreadable.class);
        assertThatThrownBy(() -> Manifests.read((HEAD + "---\n").repeat(201)))
                .isInstanceOf(Manifests.Unreadable.class)
                .hasMessage("it has more than 200 documents");
        assertThatThrownBy(() -> Manifests.read(HEAD + "a: " + "x".repeat(1 << 20)))
                .isInstanceOf(Manifests.Unreadable.class);
    }

    @Test
    void namesTheLineOfAMistake() {
        assertThatThrownBy(() -> Manifests.read(HEAD + "a:\n  b: 1\n c: 2\n"))
                .hasMessageStartingWith("line 6 after filling in variables is not YAML");
    }
}
