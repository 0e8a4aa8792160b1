package dev.slipway.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.platform.CredentialRanking;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

    private static final Map<String, String> LABELS = Map.of("env", "prod", "team", "blue", "slipway.dev/kind", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                  | true",
                "env=prod                            | true",
                "env==prod                           | true",
                "env = prod , team = blue            | true",
                "env=prod,team=red                   | false",
                "env!=prod                           | false",
                "zone!=a                             | true",
                "team                                | true",
                "zone                                | false",
                "!zone                               | true",
                "!team                               | false",
                "env in (test, prod),team            | true",
                "env in (test),team                  | false",
                "env notin (test,stage)              | true",
                "env notin (test,prod)               | false",
                "zone notin (a)                      | true",
                "zone in (a)                         | false",
                "slipway.dev/kind=                   | true",
                "slipway.dev/kind                    | true",
            })
    void selectsAsKubectlDoes(String selector, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=b=c", "a in b", "a in (b", "=b", "a,,b", "a=b,", "a > 3", "a=b c", "a=_x", "-a=b"})
    void namesThePartThatCannotBeRead(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label");
    }

    @Test
    void aWrongSelectorEndsTheStart() {
        assertThatThrownBy(() -> new ImportSettings(
                        true,
                        "env=prod,a b",
                        CredentialRanking.Policy.AUTO,
                        Duration.ofMinutes(10),
                        "",
                        true,
                        Duration.ofMinutes(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slipway.import.selector: 'a b' is no part of a label selector")
                .hasMessageContaining("a in (b,c)");
    }
}
