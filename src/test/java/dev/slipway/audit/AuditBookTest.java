package dev.slipway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.audit.AuditEntry.Subject;
import dev.slipway.storage.Databases;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The audit book in a database. */
class AuditBookTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final AuditQuestion ALL = new AuditQuestion(null, null, null, null, null, null);

    private final AuditOrigins origins = new AuditOrigins();
    private JdbcClient jdbc;
    private TransactionTemplate transaction;

    DataSource database() {
        return Databases.inMemory();
    }

    @BeforeEach
    void anEmptyBook() {
        DataSource database = database();
        Databases.migrate(database);
        jdbc = JdbcClient.create(database);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
    }

    @AfterEach
    void noRequest() {
        RequestContextHolder.resetRequestAttributes();
    }

    @Test
    void showsTheLatestFirstPageByPage() {
        // given
        for (int i = 0; i < 5; i++) {
            at(START.plusSeconds(i)).note(AuditEntry.of(AuditAction.START, "ada", "init-" + i));
        }

        // when
        Sliced<AuditRecord> first = at(START).read(ALL, new Slice(0, 2));
        Sliced<AuditRecord> last = at(START).read(ALL, new Slice(4, 2));

        // then
        assertThat(first.total()).isEqualTo(5);
        assertThat(first.items()).extracting(deed -> deed.entry().what()).containsExactly("init-4", "init-3");
        assertThat(last.total()).isEqualTo(5);
        assertThat(last.items()).extracting(deed -> deed.entry().what()).containsExactly("init-0");
        assertThat(at(START).read(ALL, new Slice(50, 2)).total()).isEqualTo(5);
    }

    @Test
    void findsByWhoWhatWhichAndWhen() {
        // given
        StoredAudit book = at(START);
        AuditEntry decision = AuditEntry.of(AuditAction.DECIDE, "ada", "RETRY")
                .about(Subject.of("Cluster", "team", "c1").flow("f1").phase("EnsureGone"))
                .because("the webhook is back")
                .ended(AuditEntry.RECORDED, null);
        book.note(decision);
        at(START.plusSeconds(60))
                .note(AuditEntry.of(AuditAction.SIGN_IN, "eve", null).ended(AuditEntry.REFUSED, "no"));

        // then
        assertThat(book.read(new AuditQuestion("ada", null, null, null, null, null), Slice.first(9))
                        .items())
                .singleElement()
                .satisfies(deed -> {
                    assertThat(deed.entry()).isEqualTo(decision);
                    assertThat(deed.at()).isEqualTo(START);
                });
        assertThat(found(book, new AuditQuestion(null, AuditAction.SIGN_IN, null, null, null, null)))
                .isEqualTo(1);
        assertThat(found(book, new AuditQuestion(null, null, "team", "c1", null, null)))
                .isEqualTo(1);
        assertThat(found(book, new AuditQuestion(null, null, "team", "c2", null, null)))
                .isZero();
        assertThat(found(book, new AuditQuestion(null, null, null, null, START.plusSeconds(1), null)))
                .isEqualTo(1);
        assertThat(found(book, new AuditQuestion(null, null, null, null, null, START.plusSeconds(60))))
                .isEqualTo(1);
    }

    @Test
    void forgetsWhatIsRolledBack() {
        // when
        transaction.executeWithoutResult(status -> {
            at(START).note(AuditEntry.of(AuditAction.START, "ada", "init"));
            status.setRollbackOnly();
        });

        // then
        assertThat(found(at(START), ALL)).isZero();
    }

    @Test
    void removesWhatIsOlderThanItMayBeAndNothingElse() {
        // given
        at(START).note(AuditEntry.of(AuditAction.START, "ada", "old"));
        at(START.plusSeconds(60)).note(AuditEntry.of(AuditAction.START, "ada", "young"));

        // when
        boolean more = at(START.plusSeconds(30).plus(Duration.ofDays(400))).removeOld();

        // then
        assertThat(more).isFalse();
        assertThat(at(START).read(ALL, Slice.first(9)).items())
                .extracting(deed -> deed.entry().what())
                .containsExactly("young");
    }

    @Test
    void saysByWhatWayAndFromWhereItCame() {
        // given
        StoredAudit book = at(START);
        book.note(AuditEntry.of(AuditAction.START, "slipway", "1"));
        origins.during("annotation", () -> {
            book.note(AuditEntry.of(AuditAction.DECIDE, "kubectl", "2"));
            return true;
        });
        request("/api/v1/clusters/a/b/flows");
        book.note(AuditEntry.of(AuditAction.START, "ada", "3"));
        request("/camunda/api/engine/engine/default/task/1/submit-form");
        book.note(AuditEntry.of(AuditAction.DECIDE, "ada", "4"));

        // then
        assertThat(book.read(ALL, Slice.first(9)).items())
                .extracting(deed -> deed.entry().what() + " " + deed.via() + " " + deed.address())
                .containsExactly("4 webapps 192.0.2.7", "3 session 192.0.2.7", "2 annotation null", "1 slipway null");
    }

    @Test
    void takesWhateverUsersType() {
        // when
        at(START)
                .note(AuditEntry.of(AuditAction.SIGN_IN, "a\0b" + "x".repeat(5000), "y".repeat(5000))
                        .because("\0".repeat(3000)));

        // then
        assertThat(at(START).read(ALL, Slice.first(9)).items())
                .singleElement()
                .satisfies(deed ->
                        assertThat(deed.entry().by()).startsWith("a\uFFFDbxxx").hasSize(255));
    }

    private void request(String path) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
        request.setRemoteAddr("192.0.2.7");
        request.setAttribute(AuditOrigins.VIA, "session");
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
    }

    private static long found(StoredAudit book, AuditQuestion question) {
        return book.read(question, Slice.first(9)).total();
    }

    private StoredAudit at(Instant now) {
        return new StoredAudit(jdbc, origins, Clock.fixed(now, ZoneOffset.UTC), Duration.ofDays(400));
    }
}
