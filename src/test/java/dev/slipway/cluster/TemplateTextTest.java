package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Templates are filled in as clusterctl does: the expectations were taken from its own library. */
class TemplateTextTest {

    private static final Map<String, String> VALUES = Map.of("A", "a", "E", "", "B", "b b");

    @ParameterizedTest(name = "{0} becomes {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            ${A}            | a
            ${ A }          | a
            ${B}            | b b
            x$              | x$
            $A              | $A
            $(A)            | $(A)
            $$              | $
            $$A             | $A
            $${A}           | ${A}
            $$${A}          | $a
            $$$${A}         | $${A}
            $${A            | ${A
            ${A}}           | a}
            ${A}${A}        | aa
            a\\${A}         | a\\a
            ${X:=d}         | d
            ${X:-d}         | d
            ${X=d}          | d
            ${E:=d}         | d
            ${E=d}          | d
            ${A:=x}         | a
            ${X:=}          | ``
            ${X:=${A}}      | a
            ${X:=${Y:-z}}   | z
            ${A:=${Y}}      | a
            ${X:="q"}       | "q"
            ${X:=a b:c/d}   | a b:c/d
            ${X:=$A}        | $A
            ${X:={}}        | {}
            """)
    void fillsInVariablesDefaultsAndEscapes(String template, String expected) {
        // when
        TemplateText.Rendered rendered = TemplateText.render(template, VALUES);

        // then
        assertThat(rendered.text()).isEqualTo(expected);
        assertThat(rendered.errors()).isEmpty();
        assertThat(rendered.missing()).isEmpty();
    }

    @Test
    void namesAllVariablesThatHaveNeitherValueNorDefault() {
        // when
        TemplateText.Rendered rendered = TemplateText.render("${X} ${A} ${Y:=${Z}} ${X} ${A:=${UNUSED}} ${E}", VALUES);

        // then
        assertThat(rendered.missing()).containsExactly("X", "Z");
        assertThat(rendered.used()).containsExactly("X", "A", "Y", "Z", "UNUSED", "E");
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            ${A^^}    | is not ${NAME}, ${NAME:=default} or ${NAME:-default}
            ${A:?e}   | is not ${NAME}, ${NAME:=default} or ${NAME:-default}
            ${A-b}    | is not ${NAME}, ${NAME:=default} or ${NAME:-default}
            ${A       | is not ${NAME}, ${NAME:=default} or ${NAME:-default}
            ${#A}     | has no variable's name after ${
            ${}       | has no variable's name after ${
            ${1A}     | has no variable's name after ${
            ${X:=d    | has no closing brace
            """)
    void refusesWhatItWouldHaveToGuess(String template, String problem) {
        // when
        TemplateText.Rendered rendered = TemplateText.render("first: line\n" + template, VALUES);

        // then
        assertThat(rendered.errors()).containsExactly("line 2: '" + template + "' " + problem);
    }

    @Test
    void endsOnDefaultsThatAreNestedWithoutEnd() {
        // when
        TemplateText.Rendered rendered = TemplateText.render("${A:=".repeat(10_000), VALUES);

        // then
        assertThat(rendered.errors()).isNotEmpty();
    }
}
