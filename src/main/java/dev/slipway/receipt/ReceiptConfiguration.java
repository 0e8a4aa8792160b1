package dev.slipway.receipt;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts the receipts together. */
@Configuration(proxyBeanMethods = false)
class ReceiptConfiguration {

    @Bean
    ReceiptBook receiptBook(
            JdbcClient jdbc, PlatformTransactionManager transactions, Clock clock, ReceiptSettings settings) {
        return new StoredReceipts(
                new ReceiptStore(jdbc), new TransactionTemplate(transactions), clock, settings.keep());
    }
}
