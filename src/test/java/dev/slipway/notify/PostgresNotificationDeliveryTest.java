package dev.slipway.notify;

import com.zaxxer.hikari.HikariDataSource;
import dev.slipway.kernel.Postgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** The same on PostgreSQL. */
class PostgresNotificationDeliveryTest extends NotificationDeliveryTest {

    private HikariDataSource pool;

    @Override
    DataSource database() {
        pool = new HikariDataSource();
        pool.setJdbcUrl(Postgres.url());
        pool.setUsername("postgres");
        pool.setMaximumPoolSize(4);
        return pool;
    }

    @AfterEach
    void closeThePool() {
        pool.close();
    }
}
