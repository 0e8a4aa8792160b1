package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class WayBackTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/camunda/app/cockpit/default/", "/#/clusters/demo/c1", "/swagger-ui/index.html?x=//y"})
    void leadsToOwnPaths(String wanted) {
        assertThat(WayBack.of(wanted)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "//evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "https://evil.example",
                "/a\\b",
                "/a\r\nX: y"
            })
    void leadsHomeInsteadOfElsewhere(String wanted) {
        assertThat(WayBack.of(wanted)).isEqualTo("/");
    }

    @Test
    void isNotEndless() {
        assertThat(WayBack.of("/" + "x".repeat(5000))).isEqualTo("/");
    }
}
