package dev.slipway.kernel;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A real PostgreSQL for tests: one server in a JVM, started at first use, ended with it. */
public final class Postgres {

    private Postgres() {}

    /** A new, empty database. */
    static DataSource database() {
        return Server.INSTANCE.getDatabase("postgres", create());
    }

    /** The JDBC URL of a new, empty database; user postgres, no password. */
    public static String url() {
        return Server.INSTANCE.getJdbcUrl("postgres", create());
    }

    private static String create() {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        new JdbcTemplate(Server.INSTANCE.getPostgresDatabase()).execute("create database " + name);
        return name;
    }

    private static final class Server {
        static final EmbeddedPostgres INSTANCE = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
