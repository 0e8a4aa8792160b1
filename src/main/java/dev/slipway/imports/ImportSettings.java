package dev.slipway.imports;

import dev.slipway.platform.CredentialRanking;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How clusters are imported into the platform.
 *
 * @param watch whether Slipway imports each Cluster that is provisioned and not imported, and repairs what drifts;
 *     otherwise only what is asked for is imported
 * @param selector the labels that a Cluster must have to be imported unasked, as kubectl takes them; empty: all
 * @param credentials what happens to a cluster's credentials that are too many: `auto`: those that nobody uses are
 *     deleted; `ask`: a person decides
 * @param orphanAge how old a credential that nobody refers to must be before it is deleted unasked: a younger one may be
 *     somebody's who is about to refer to it
 * @param tenant the platform's tenant that records belong to
 * @param network whether import makes the nodes ready, as where the account `sentry` installs the network: `true` waits
 *     at its end for a ready node
 * @param drift how often an imported cluster is looked at
 */
@Validated
@ConfigurationProperties("slipway.import")
public record ImportSettings(
        @DefaultValue("true") boolean watch,
        @DefaultValue("") @NotNull String selector,
        @DefaultValue("auto") CredentialRanking.@NotNull Policy credentials,
        @DefaultValue("10m") @NotNull @DurationMin(seconds = 1) Duration orphanAge,
        @DefaultValue("") @NotNull String tenant,
        @DefaultValue("true") boolean network,
        @DefaultValue("10m") @NotNull @DurationMin(seconds = 10) Duration drift) {

    public ImportSettings {
        // Here, so that a selector that cannot be read ends the start.
        try {
            LabelSelector.parse(selector);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("slipway.import.selector: " + e.getMessage(), e);
        }
    }

    /** Which Clusters are imported unasked. */
    public LabelSelector selected() {
        return LabelSelector.parse(selector);
    }
}
