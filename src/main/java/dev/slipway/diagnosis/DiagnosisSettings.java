package dev.slipway.diagnosis;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where a diagnosis looks besides the cluster's own objects.
 *
 * @param providerNamespace the namespace of the infrastructure provider's controller in the management cluster
 * @param providerSelector the labels of its pods, as `key=value`, several separated by commas: the ends of their logs are
 *     searched for known errors; empty: no log is read
 */
@Validated
@ConfigurationProperties("slipway.diagnosis")
public record DiagnosisSettings(
        @DefaultValue("cpaas-system") @NotBlank String providerNamespace,
        @DefaultValue("") @NotNull String providerSelector) {

    public DiagnosisSettings {
        // Here, so that a misspelt selector ends the start.
        labels(providerSelector);
    }

    /** The labels of the provider's pods; empty if no log is read. */
    Map<String, String> providerLabels() {
        return labels(providerSelector);
    }

    private static Map<String, String> labels(String selector) {
        Map<String, String> labels = new TreeMap<>();
        for (String label : selector.isBlank() ? new String[0] : selector.split(",", -1)) {
            String[] parts = label.strip().split("=", -1);
            if (parts.length != 2 || parts[0].isBlank()) {
                throw new IllegalArgumentException(
                        "slipway.diagnosis.provider-selector: '" + label + "' is not <key>=<value>");
            }
            labels.put(parts[0].strip(), parts[1].strip());
        }
        return labels;
    }
}
