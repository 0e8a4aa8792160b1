package dev.slipway.kernel;

import javax.sql.DataSource;

/** Flows that delete, on PostgreSQL. */
class PostgresDeletionFlowTest extends DeletionFlowTest {

    @Override
    DataSource database() {
        return Postgres.database();
    }
}
