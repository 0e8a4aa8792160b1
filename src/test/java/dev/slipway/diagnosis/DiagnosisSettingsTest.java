package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pods a diagnosis reads the logs of. */
class DiagnosisSettingsTest {

    @Test
    void readsSeveralLabels() {
        assertThat(new DiagnosisSettings("infra", "control-plane=manager, app=dcs").providerLabels())
                .containsOnly(entry("control-plane", "manager"), entry("app", "dcs"));
    }

    @Test
    void nothingIsNoLabelAtAll() {
        assertThat(new DiagnosisSettings("infra", " ").providerLabels()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "app=a=b", "=x", "app=x,"})
    void aMisspeltSelectorEndsTheStart(String selector) {
        assertThatThrownBy(() -> new DiagnosisSettings("infra", selector))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slipway.diagnosis.provider-selector");
    }
}
