package dev.slipway.kernel;

import javax.sql.DataSource;

/** The kernel's cases on PostgreSQL. */
class PostgresKernelTest extends PhaseKernelCases {

    PostgresKernelTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @Override
    DataSource database() {
        return Postgres.database();
    }
}
