package dev.slipway.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.core.serializer.support.SerializingConverter;
import org.springframework.session.config.SessionRepositoryCustomizer;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.session.jdbc.PostgreSqlJdbcIndexedSessionRepositoryCustomizer;

/**
 * Keeps sessions in the database, so that each node knows them and a restart ends none.
 *
 * <p>Only what sessions are made of is read back. What another version of Slipway wrote and this one cannot read counts
 * as absent: its owner signs in again.
 */
@Configuration(proxyBeanMethods = false)
class SessionStoreConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(SessionStoreConfiguration.class);
    private static final ObjectInputFilter OWN = ObjectInputFilter.Config.createFilter(
            "maxdepth=30;maxarray=100000;java.lang.*;java.util.*;java.time.*;java.net.URI;java.net.URL;"
                    + "dev.slipway.security.*;org.springframework.security.**;org.camunda.bpm.webapp.impl.security.**;!*");

    @Bean
    SessionRepositoryCustomizer<JdbcIndexedSessionRepository> sessionStore(
            DataSource database, SessionSettings settings) {
        return repository -> {
            repository.setDefaultMaxInactiveInterval(settings.idle());
            if (isPostgres(database)) {
                new PostgreSqlJdbcIndexedSessionRepositoryCustomizer().customize(repository);
            } else {
                // Two requests of one session may set the same attribute at once.
                repository.setCreateSessionAttributeQuery(
                        """
                        MERGE INTO %TABLE_NAME%_ATTRIBUTES (SESSION_PRIMARY_ID, ATTRIBUTE_NAME, ATTRIBUTE_BYTES)
                        KEY (SESSION_PRIMARY_ID, ATTRIBUTE_NAME) VALUES (?, ?, ?)""");
            }
        };
    }

    @Bean
    ConversionService springSessionConversionService() {
        GenericConversionService conversions = new GenericConversionService();
        conversions.addConverter(Object.class, byte[].class, new SerializingConverter());
        conversions.addConverter(byte[].class, Object.class, SessionStoreConfiguration::read);
        return conversions;
    }

    private static @Nullable Object read(byte[] bytes) {
        try (InputStream stream = new ByteArrayInputStream(bytes);
                ObjectInputStream objects = new ObjectInputStream(stream)) {
            objects.setObjectInputFilter(OWN);
            return objects.readObject();
        } catch (IOException | ClassNotFoundException e) {
            LOG.debug("An attribute of a session cannot be read", e);
            return null;
        }
    }

    private static boolean isPostgres(DataSource database) {
        try (Connection connection = database.getConnection()) {
            return "PostgreSQL".equals(connection.getMetaData().getDatabaseProductName());
        } catch (SQLException e) {
            throw new IllegalStateException("The database does not answer", e);
        }
    }
}
