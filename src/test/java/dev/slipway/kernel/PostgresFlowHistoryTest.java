package dev.slipway.kernel;

import javax.sql.DataSource;

/** What happened, as PostgreSQL counts it. */
class PostgresFlowHistoryTest extends FlowHistoryTest {

    @Override
    DataSource database() {
        return Postgres.database();
    }
}
