package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kernel.Postgres;
import dev.slipway.storage.Databases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.transaction.support.TransactionTemplate;

/** Sessions in the database, as several nodes see them. */
class SessionStoreTest {

    private static final String CONTEXT = "SPRING_SECURITY_CONTEXT";

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of("H2", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"),
                Arguments.of("PostgreSQL", Postgres.url()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void areKnownToEveryNode(String name, String url) {
        // given
        DataSource database = migrated(url);
        SignedIn ada = new SignedIn(
                SignedIn.Person.withPassword("ada", "Ada", "stamp"),
                Via.SESSION,
                Instant.parse("2026-01-01T00:00:00Z"),
                List.of("operators"));

        // when
        String id = save(node(database), CONTEXT, new SecurityContextImpl(ada));

        // then
        Session found = node(database).findById(id);
        SecurityContext context = found.getRequiredAttribute(CONTEXT);
        assertThat(context.getAuthentication()).isEqualTo(ada);
        assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void takeTheSameAttributeFromManyRequestsAtOnce(String name, String url) {
        // given
        DataSource database = migrated(url);
        String id = save(node(database), "any", "value");

        // when
        IntStream.range(0, 8).parallel().forEach(request -> change(node(database), id, "token", "of " + request));

        // then
        Session found = node(database).findById(id);
        String token = found.getRequiredAttribute("token");
        assertThat(token).startsWith("of ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void countWhatCannotBeReadAsAbsent(String name, String url) {
        // given
        DataSource database = migrated(url);
        String id = save(node(database), "any", "thing");
        new JdbcTemplate(database)
                .update("update slipway_session_attributes set attribute_bytes = ?", (Object) new byte[] {1, 2, 3});

        // when
        Session found = node(database).findById(id);

        // then
        assertThat(found.<Object>getAttribute("any")).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void readNothingBackButWhatSessionsAreMadeOf(String name, String url) {
        // given
        DataSource database = migrated(url);

        // when
        String id = save(node(database), "strange", new javax.swing.tree.DefaultMutableTreeNode());

        // then
        Session found = node(database).findById(id);
        assertThat(found.<Object>getAttribute("strange")).isNull();
    }

    private static DataSource migrated(String url) {
        boolean postgres = url.contains("postgresql");
        DataSource database = new DriverManagerDataSource(url, postgres ? "postgres" : "sa", "");
        Databases.migrate(database);
        return database;
    }

    private static JdbcIndexedSessionRepository node(DataSource database) {
        JdbcIndexedSessionRepository node = new JdbcIndexedSessionRepository(
                new JdbcTemplate(database), new TransactionTemplate(new DataSourceTransactionManager(database)));
        SessionStoreConfiguration configuration = new SessionStoreConfiguration();
        node.setTableName("slipway_session");
        node.setConversionService(configuration.springSessionConversionService());
        configuration
                .sessionStore(database, new SessionSettings(Duration.ofHours(1), Duration.ofHours(12)))
                .customize(node);
        node.afterPropertiesSet();
        return node;
    }

    private static <S extends Session> String save(SessionRepository<S> node, String attribute, Object value) {
        S session = node.createSession();
        session.setAttribute(attribute, value);
        node.save(session);
        return session.getId();
    }

    private static <S extends Session> void change(
            SessionRepository<S> node, String id, String attribute, Object value) {
        S session = node.findById(id);
        session.setAttribute(attribute, value);
        node.save(session);
    }
}
