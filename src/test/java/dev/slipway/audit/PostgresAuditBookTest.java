package dev.slipway.audit;

import dev.slipway.kernel.Postgres;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The audit book on PostgreSQL. */
class PostgresAuditBookTest extends AuditBookTest {

    @Override
    DataSource database() {
        return new DriverManagerDataSource(Postgres.url(), "postgres", "");
    }
}
