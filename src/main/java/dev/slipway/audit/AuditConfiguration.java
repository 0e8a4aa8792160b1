package dev.slipway.audit;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the audit book together. */
@Configuration(proxyBeanMethods = false)
public class AuditConfiguration {

    @Bean
    AuditOrigins auditOrigins() {
        return new AuditOrigins();
    }

    @Bean
    StoredAudit auditBook(JdbcClient jdbc, AuditOrigins origins, Clock clock, AuditSettings settings) {
        return new StoredAudit(jdbc, origins, clock, settings.keep());
    }
}
