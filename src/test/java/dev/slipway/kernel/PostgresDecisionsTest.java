package dev.slipway.kernel;

import javax.sql.DataSource;

/** What operators decide, with PostgreSQL's locks. */
class PostgresDecisionsTest extends DecisionsTest {

    @Override
    DataSource database() {
        return Postgres.database();
    }
}
