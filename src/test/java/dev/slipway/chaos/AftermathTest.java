package dev.slipway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.JsonApi;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** The look at the database finds what it is there to find: in the real schema, with one good and one broken cluster. */
class AftermathTest {

    private static final List<Fleet.Member> MEMBERS = List.of(
            new Fleet.Member("good", false, Optional.empty()),
            new Fleet.Member("broken", false, Optional.of(Defect.EXPIRED_AUTHORITY)));
    private static final Map<String, JsonNode> CLUSTERS = Map.of(
            "good", JsonApi.parse("{\"status\": {\"ready\": true}}"),
            "broken",
                    JsonApi.parse(
                            """
                            {"status": {"conditions": [{"type": "ManualInterventionRequired", "status": "True",
                             "reason": "CaExpired", "message": "a"}]}}"""));

    private final DriverManagerDataSource source =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final JdbcTemplate database = new JdbcTemplate(source);

    @BeforeEach
    void fill() {
        new ResourceDatabasePopulator(
                        new ClassPathResource("org/camunda/bpm/engine/db/create/activiti.h2.create.engine.sql"),
                        new ClassPathResource("db/migration/V1__phases_and_flows.sql"))
                .execute(source);
        flow("f1", "good", "current_timestamp");
        flow("f2", "broken", "null");
        execution("f2");
        wait("r2", "f2");
        task("t2", "f2", "In this phase …\nCause: CaExpired: the authority has expired");
        database.update("insert into act_ru_incident (id_, rev_, incident_timestamp_, incident_type_, proc_inst_id_)"
                + " values ('i2', 1, current_timestamp, 'phaseStuck', 'f2')");
    }

    @Test
    void isContentWithWhatMustBe() {
        // then
        assertThat(violations()).isEmpty();
    }

    @Test
    void findsAFlowThatIsLostAndOneThatIsDoubled() {
        // given
        database.update("delete from slipway_flow where id = 'f1'");
        flow("f3", "broken", "null");
        execution("f3");
        wait("r3", "f3");

        // then
        assertThat(violations())
                .anyMatch(line -> line.startsWith("good has 0 flows that build it"))
                .anyMatch(line -> line.startsWith("broken has 2 flows that build it"));
    }

    @Test
    void findsATaskThatNamesASideError() {
        // given
        database.update("update act_ru_task set description_ = 'In this phase …\nCause: ServerError: 503'");

        // then
        assertThat(violations())
                .singleElement()
                .asString()
                .contains("does not name the cause")
                .contains("503");
    }

    @Test
    void findsATaskThatIsMissingAndOneTooMany() {
        // given
        execution("f1");
        task("t1", "f1", "left behind");
        database.update("delete from act_ru_task where id_ = 't2'");

        // then
        assertThat(violations())
                .anyMatch(line -> line.startsWith("broken (EXPIRED_AUTHORITY) has 0 operator's tasks"))
                .anyMatch(line -> line.startsWith("good has an operator's task"))
                .anyMatch(line -> line.startsWith("operator's tasks without a stuck wait"))
                .anyMatch(line -> line.startsWith("process instances without an active flow"));
    }

    @Test
    void findsWhatNothingDrives() {
        // given
        wait("r4", "nobody");
        database.update("delete from slipway_phase_run where id = 'r2'");
        database.update("insert into act_ru_job (id_, rev_, type_, retries_) values ('j1', 1, 'timer', 0)");

        // then
        assertThat(violations())
                .anyMatch(line -> line.startsWith("waits without a flow"))
                .anyMatch(line -> line.startsWith("active flows without a wait"))
                .anyMatch(line -> line.startsWith("jobs without retries that have no incident"));
    }

    private List<String> violations() {
        Violations violations = new Violations();
        new Aftermath(database, "chaos", MEMBERS, CLUSTERS).check(violations);
        return violations.found();
    }

    private void flow(String id, String cluster, String ended) {
        database.update(
                "insert into slipway_flow (id, instance_id, kind, namespace, name, uid, state, started_by, started_at,"
                        + " ended_at) values (?, ?, 'init', 'chaos', ?, ?, 'x', 'test', current_timestamp, " + ended
                        + ")",
                id,
                id,
                cluster,
                cluster);
    }

    private void execution(String id) {
        database.update("insert into act_ru_execution (id_, rev_, proc_inst_id_) values (?, 1, ?)", id, id);
    }

    private void wait(String id, String flow) {
        database.update(
                "insert into slipway_phase_run (id, flow_id, flow, definition_id, namespace, name, uid, element_id,"
                        + " phase, execution_id, scope_id, owner, state, stuck, attempt, failures, unchanged, entered_at)"
                        + " values (?, ?, 'f', 'd', 'chaos', 'n', 'u', 'e', 'p', 'x', 's', 'o', 'BLOCKED', true, 1, 1, 0,"
                        + " current_timestamp)",
                id,
                flow);
    }

    private void task(String id, String flow, String text) {
        database.update(
                "insert into act_ru_task (id_, rev_, proc_inst_id_, description_) values (?, 1, ?, ?)", id, flow, text);
    }
}
