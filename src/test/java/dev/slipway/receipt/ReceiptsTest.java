package dev.slipway.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.slipway.phase.ClusterRef;
import dev.slipway.storage.Databases;
import dev.slipway.storage.Slice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Receipts in a database. */
class ReceiptsTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration KEEP = Duration.ofDays(400);

    private final ClusterRef ref =
            new ClusterRef("team", "c1", UUID.randomUUID().toString());
    private JdbcClient jdbc;
    private TransactionTemplate transaction;
    private ReceiptBook book;

    DataSource database() {
        return Databases.inMemory();
    }

    @BeforeEach
    void anEmptyBook() {
        DataSource database = database();
        Databases.migrate(database);
        jdbc = JdbcClient.create(database);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
        book = at(START);
    }

    @Test
    void sayWhatBecameOfEachObjectOnceWithItsLatestFate() {
        // given
        book.open(head("f1", null, START));
        book.note("f1", new Entry("Secret team/a", Fate.LEFT, "EnsureRemoteCleaned", "unreachable", START));
        book.note("f1", new Entry("Cluster team/c1", Fate.GONE, "EnsureGone", null, START.plusSeconds(9)));

        book.because("f1", "no longer needed");

        // when: phases are run again
        book.because("f1", "another reason");
        book.open(head("f1", "Full", START.plusSeconds(60)));
        book.note("f1", new Entry("Secret team/a", Fate.DELETED, "EnsureCredentialsGone", null, START.plusSeconds(60)));

        // then
        Receipt receipt = book.find("f1").orElseThrow();
        assertThat(receipt.head()).isEqualTo(head("f1", "Full", START));
        assertThat(receipt.reason()).isEqualTo("no longer needed");
        assertThat(receipt.result()).isNull();
        assertThat(receipt.entries())
                .containsExactly(
                        new Entry("Secret team/a", Fate.DELETED, "EnsureCredentialsGone", null, START),
                        new Entry("Cluster team/c1", Fate.GONE, "EnsureGone", null, START.plusSeconds(9)));
        assertThat(receipt.counts()).containsExactly(entry(Fate.DELETED, 1L), entry(Fate.GONE, 1L));
        assertThat(book.entries("f1")).isEqualTo(receipt.entries());
        assertThat(book.find("f2")).isEmpty();
    }

    @Test
    void forgetWhatIsTakenBackAndNothingElse() {
        // given
        book.open(head("f1", "Full", START));
        book.open(head("f2", "Full", START));
        book.note("f1", new Entry("Objects", Fate.LEFT, "EnsureGone", "waited for", START));
        book.note("f1", new Entry("Secret team/a", Fate.DELETED, "EnsureGone", null, START));
        book.note("f2", new Entry("Objects", Fate.LEFT, "EnsureGone", "waited for", START));

        // when
        book.forget("f1", "Objects");
        book.forget("f1", "Nothing");

        // then
        assertThat(book.entries("f1")).extracting(Entry::what).containsExactly("Secret team/a");
        assertThat(book.entries("f2")).hasSize(1);
    }

    @Test
    void outliveTheTablesOfTheFlow() {
        // given
        book.open(head("f1", "Full", START));
        run("f1", "r1", "EnsureUnpaused", START, START.plusSeconds(5));
        run("f1", "r2", "EnsureGone", START.plusSeconds(5), null);
        decided("f1", "d1", "SKIP_REMOTE", "it burnt down");
        book.close("f1", "Deleted", START.plusSeconds(20));
        book.close("f1", "Again", START.plusSeconds(30));
        Receipt before = book.find("f1").orElseThrow();
        assertThat(before.phases())
                .extracting(Receipt.PhaseTime::phase)
                .containsExactly("EnsureUnpaused", "EnsureGone");

        // when
        jdbc.sql("delete from slipway_phase_run").update();
        jdbc.sql("delete from slipway_decision").update();
        book.close("f1", "Again", START.plusSeconds(40));

        // then
        Receipt after = book.find("f1").orElseThrow();
        assertThat(after).isEqualTo(before);
        assertThat(after.result()).isEqualTo("Deleted");
        assertThat(after.closedAt()).isEqualTo(START.plusSeconds(20));
        assertThat(after.decisions())
                .containsExactly(new Receipt.Decided(
                        "SKIP_REMOTE", "EnsureUnpaused", "alice", "it burnt down", "APPLIED", START.plusSeconds(3)));
    }

    @Test
    void areFoundByNameAndTime() {
        // given
        book.open(head("f1", "Full", START));
        book.open(head("f2", "Full", START.plusSeconds(60)));
        book.open(new Head("f3", "delete", new ClusterRef("other", "c1", "u3"), null, "bob", START.plusSeconds(90)));

        // then
        assertThat(book.ofCluster("team", "c1"))
                .extracting(r -> r.head().flowId())
                .containsExactly("f2", "f1");
        assertThat(book.list(null, null, START.plusSeconds(60), Slice.first(9)).items())
                .extracting(r -> r.head().flowId())
                .containsExactly("f3", "f2");
        assertThat(book.list("other", null, null, Slice.first(9)).items()).hasSize(1);
        assertThat(book.list("team", "c2", null, Slice.first(9)).items()).isEmpty();
    }

    @Test
    void goWhenTheyAreOldButNotWhileTheDeletionRuns() {
        // given
        book.open(head("old", "Full", START));
        book.note("old", new Entry("Secret team/a", Fate.DELETED, "x", null, START));
        run("old", "r1", "EnsureGone", START, START.plusSeconds(1));
        book.close("old", "Deleted", START);
        book.open(head("running", "Full", START));

        // when
        at(START.plus(KEEP)).open(head("new", "Full", START.plus(KEEP)));
        assertThat(book.find("old")).isPresent();
        at(START.plus(KEEP).plusSeconds(1)).open(head("newer", "Full", START.plus(KEEP)));

        // then
        assertThat(book.find("old")).isEmpty();
        assertThat(book.entries("old")).isEmpty();
        assertThat(jdbc.sql("select count(*) from slipway_receipt_phase")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(book.list(null, null, null, Slice.first(9)).items()).hasSize(3);
    }

    @Test
    void endWithTheirFlowIfThatDidNotComeToItsEnd() {
        // given
        book.open(head("f1", "Full", START));
        jdbc.sql("insert into slipway_flow (id, instance_id, kind, namespace, name, uid, state, result, started_by,"
                        + " started_at, ended_at) values ('x', 'f1', 'delete', 'team', 'c1', 'u', 'ABORTED', 'Aborted',"
                        + " 'alice', :at, :at)")
                .param("at", START.plusSeconds(7).atOffset(ZoneOffset.UTC))
                .update();

        // when
        book.open(head("f2", "Full", START));

        // then
        Receipt receipt = book.find("f1").orElseThrow();
        assertThat(receipt.result()).isEqualTo("Aborted");
        assertThat(receipt.closedAt()).isEqualTo(START.plusSeconds(7));
    }

    private ReceiptBook at(Instant now) {
        return new StoredReceipts(new ReceiptStore(jdbc), transaction, Clock.fixed(now, ZoneOffset.UTC), KEEP);
    }

    private Head head(String flow, String mode, Instant at) {
        return new Head(flow, "delete", ref, mode, "alice", at);
    }

    private void run(String flow, String id, String phase, Instant from, Instant to) {
        jdbc.sql("insert into slipway_phase_run (id, flow_id, flow, definition_id, namespace, name, uid, element_id,"
                        + " phase, execution_id, scope_id, owner, state, stuck, attempt, failures, unchanged, reason,"
                        + " entered_at, left_at) values (:id, :flow, 'cluster-delete', 'd', 'team', 'c1', 'u', 'e',"
                        + " :phase, 'e', 's', 'n', 'DONE', false, 1, 0, 0, 'Done', :from, :to)")
                .param("id", id)
                .param("flow", flow)
                .param("phase", phase)
                .param("from", from.atOffset(ZoneOffset.UTC))
                .param("to", to == null ? null : to.atOffset(ZoneOffset.UTC), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    private void decided(String flow, String id, String choice, String why) {
        jdbc.sql("insert into slipway_decision (id, flow_id, choice, phase, decided_by, reason, decided_at, state)"
                        + " values (:id, :flow, :choice, 'EnsureUnpaused', 'alice', :why, :at, 'APPLIED')")
                .param("id", id)
                .param("flow", flow)
                .param("choice", choice)
                .param("why", why)
                .param("at", START.plusSeconds(3).atOffset(ZoneOffset.UTC))
                .update();
    }
}
