package dev.slipway.kernel;

import javax.sql.DataSource;

/** Nodes that share a PostgreSQL. */
class PostgresKernelNodesTest extends KernelNodesTest {

    @Override
    DataSource database() {
        return Postgres.database();
    }
}
