package dev.slipway.notify;

import dev.slipway.kernel.EscalationListener;
import dev.slipway.queue.Backoff;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the notifications together, if there is somebody to notify. */
@Configuration(proxyBeanMethods = false)
@Conditional(NotifyConfiguration.SomebodyToNotify.class)
class NotifyConfiguration {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    @Bean
    WebhookSettings webhookSettings(WebhookProperties properties) {
        return WebhookSettings.of(properties);
    }

    @Bean
    NotificationStore notificationStore(JdbcClient jdbc) {
        return new NotificationStore(jdbc);
    }

    @Bean
    Courier courier(NotificationStore store, WebhookSettings settings, Clock clock, MeterRegistry meters) {
        return new Courier(store, settings, clock, backoff(), new NotificationMeters(meters));
    }

    private static Backoff backoff() {
        return new Backoff(
                FIRST_PAUSE, LONGEST_PAUSE, () -> ThreadLocalRandom.current().nextDouble());
    }

    @Bean
    DeliveryLoop deliveryLoop(Courier courier, WebhookSettings settings, Clock clock) {
        return new DeliveryLoop(courier, clock, settings.timeout());
    }

    @Bean
    EscalationListener notificationOutbox(NotificationStore store, Clock clock, DeliveryLoop loop) {
        return new NotificationOutbox(store, clock, loop::wake);
    }

    /** Whether the webhook's address is set. */
    static final class SomebodyToNotify extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            String property = WebhookProperties.PREFIX + ".url";
            String url = context.getEnvironment().getProperty(property, "");
            ConditionMessage.Builder message = ConditionMessage.forCondition("Webhook");
            return url.isBlank()
                    ? ConditionOutcome.noMatch(message.because(property + " is empty"))
                    : ConditionOutcome.match(message.because(property + " is set"));
        }
    }
}
