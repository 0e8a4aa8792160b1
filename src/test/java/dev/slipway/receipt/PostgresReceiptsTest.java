package dev.slipway.receipt;

import dev.slipway.kernel.Postgres;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Receipts on PostgreSQL. */
class PostgresReceiptsTest extends ReceiptsTest {

    @Override
    DataSource database() {
        return new DriverManagerDataSource(Postgres.url(), "postgres", "");
    }
}
