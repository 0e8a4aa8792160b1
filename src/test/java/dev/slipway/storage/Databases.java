package dev.slipway.storage;

import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;

/** Databases with Slipway's tables, made as the application makes them. */
public final class Databases {

    private Databases() {}

    /** An empty one in memory. */
    public static DataSource inMemory() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    /** Makes Slipway's tables; the engine's may be there first. */
    public static void migrate(DataSource database) {
        Flyway.configure()
                .dataSource(database)
                .table("slipway_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
