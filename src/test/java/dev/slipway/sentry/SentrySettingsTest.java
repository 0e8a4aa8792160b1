package dev.slipway.sentry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kubernetes.WorkloadClusters.Access;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What the settings of the sentry mean. */
class SentrySettingsTest {

    @Test
    void bindsToTheAdministratorsRoleUnlessSaidOtherwise() {
        // when
        SentrySettings settings = bound(Map.of());

        // then
        assertThat(settings.user()).isEqualTo("system:serviceaccount:cpaas-system:sentry");
        assertThat(settings.roleName()).isEqualTo("cluster-admin");
        assertThat(settings.needed()).containsExactly(new Access("*", "*", "*"));
    }

    @Test
    void readsRightsAndMakesARoleOfThemWhenNoneIsNamed() {
        // when
        SentrySettings settings = bound(Map.of(
                "slipway.sentry.cluster-role",
                "",
                "slipway.sentry.rights",
                "list nodes, create customresourcedefinitions.apiextensions.k8s.io"));

        // then
        assertThat(settings.makesRole()).isTrue();
        assertThat(settings.roleName()).isEqualTo("slipway:cpaas-system:sentry");
        assertThat(settings.needed())
                .containsExactly(
                        new Access("list", "", "nodes"),
                        new Access("create", "apiextensions.k8s.io", "customresourcedefinitions"));
    }

    @Test
    void refusesARightThatNobodyCanRead() {
        // then
        assertThatThrownBy(() -> bound(Map.of("slipway.sentry.rights", "nodes")))
                .rootCause()
                .hasMessageContaining("slipway.sentry.rights: 'nodes'");
    }

    private static SentrySettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("slipway.sentry", SentrySettings.class);
    }
}
