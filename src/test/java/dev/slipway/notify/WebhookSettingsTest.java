package dev.slipway.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.MovedClock;
import dev.slipway.kernel.EscalationListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Settings that can be used, and those that stop the start. */
class WebhookSettingsTest {

    private static final String PREFIX = "slipway.notifications.webhook.";

    @TempDir
    private Path folder;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(NotifyConfiguration.class, Settings.class)
            .withBean(MovedClock.class)
            .withBean(SimpleMeterRegistry.class)
            .withBean(JdbcClient.class, WebhookSettingsTest::database);

    @EnableConfigurationProperties(WebhookProperties.class)
    private static final class Settings {}

    private static JdbcClient database() {
        JdbcConnectionPool database =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        Flyway.configure().dataSource(database).load().migrate();
        return JdbcClient.create(database);
    }

    @Test
    void withoutAnAddressThereIsNobodyToTell() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EscalationListener.class));
        application
                .withPropertyValues(PREFIX + "url=", PREFIX + "ca-file=/no/such/file")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EscalationListener.class));
    }

    @Test
    void anAddressIsEnough() {
        application
                .withPropertyValues(PREFIX + "url=http://alertmanager:9093", PREFIX + "ca-file=")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(EscalationListener.class);
                    assertThat(context.getBean(DeliveryLoop.class).isRunning()).isTrue();
                    assertThat(context.getBean(WebhookSettings.class).tls()).isNull();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "http://alertmanager:9093, http://alertmanager:9093/api/v2/alerts",
        "https://monitoring.example.com/am/, https://monitoring.example.com/am/api/v2/alerts",
        "http://alertmanager/api/v2/alerts, http://alertmanager/api/v2/alerts",
        "http://alertmanager/api/v2/alerts/?tenant=a, http://alertmanager/api/v2/alerts?tenant=a",
    })
    void anAlertmanagersBaseAddressIsEnough(String url, String target) {
        application.withPropertyValues(PREFIX + "url=" + url).run(context -> assertThat(
                        context.getBean(WebhookSettings.class).target())
                .hasToString(target));
    }

    @ParameterizedTest
    @CsvSource({
        "hooks.example.com/secret, begins neither with http:// nor with https://",
        "ftp://hooks.example.com/secret, begins neither with http:// nor with https://",
        "https:///secret, names no host",
        "https://hooks example.com/secret, is not a URL",
        "https://alice:secret@hooks.example.com, holds a user or a password",
    })
    void anAddressThatCannotBeUsedStopsTheStartAndIsNotShown(String url, String problem) {
        application.withPropertyValues(PREFIX + "url=" + url).run(context -> {
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).isEqualTo(PREFIX + "url " + problem);
            assertThat(analysis.getAction()).isNotBlank().doesNotContain("secret");
        });
    }

    @Test
    void aPublicAddressThatCannotBeUsedStopsTheStart() {
        application
                .withPropertyValues(PREFIX + "url=http://alertmanager", PREFIX + "public-url=slipway.example.com")
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .isEqualTo(PREFIX + "public-url begins neither with http:// nor with https://"));
    }

    @Test
    void filesThatCannotBeReadStopTheStart() {
        Path absent = folder.resolve("absent");
        for (String property : new String[] {"ca-file", "bearer-token-file"}) {
            application
                    .withPropertyValues(PREFIX + "url=http://alertmanager", PREFIX + property + "=" + absent)
                    .run(context -> assertThat(
                                    analysis(context.getStartupFailure()).getDescription())
                            .isEqualTo(PREFIX + property + " names " + absent + ", which cannot be read"));
        }
    }

    @Test
    void authoritiesThatAreNoneStopTheStart() throws IOException {
        for (String text : new String[] {"", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END"}) {
            Path pem = Files.writeString(folder.resolve("ca.pem"), text);
            application
                    .withPropertyValues(PREFIX + "url=https://alertmanager", PREFIX + "ca-file=" + pem)
                    .run(context -> assertThat(
                                    analysis(context.getStartupFailure()).getDescription())
                            .isEqualTo(PREFIX + "ca-file names " + pem
                                    + ", which holds no certificates that can be read"));
        }
    }

    @ParameterizedTest
    @CsvSource({"format, pager", "timeout, 0s"})
    void aValueThatMakesNoSenseStopsTheStartAndIsNamed(String property, String value) {
        application
                .withPropertyValues(PREFIX + "url=http://alertmanager/secret", PREFIX + property + "=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(property.equals("format") ? value : property)
                        .hasMessageNotContaining("secret"));
    }

    private static FailureAnalysis analysis(Throwable failure) {
        assertThat(failure).isNotNull();
        return new UnusableSettingAnalyzer().analyze(failure);
    }
}
