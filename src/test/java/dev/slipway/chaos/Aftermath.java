package dev.slipway.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/** What Slipway's database says once it has stopped. */
final class Aftermath {

    private final JdbcTemplate database;
    private final String namespace;
    private final List<Fleet.Member> members;
    private final Map<String, JsonNode> clusters;

    /**
     * Looks at a run.
     *
     * @param clusters the WorkloadClusters as they are at the end, by name
     */
    Aftermath(JdbcTemplate database, String namespace, List<Fleet.Member> members, Map<String, JsonNode> clusters) {
        this.database = database;
        this.namespace = namespace;
        this.members = members;
        this.clusters = clusters;
    }

    void check(Violations violations) {
        for (Fleet.Member member : members) {
            flow(member, violations);
            if (member.defect().isPresent()) {
                taskNames(member, member.defect().get(), violations);
            } else {
                violations.check(
                        Fleet.ready(clusters.get(member.name())), member.name() + " is not Ready: " + state(member));
                violations.check(tasks(member).isEmpty(), member.name() + " has an operator's task: " + tasks(member));
            }
        }
        none(
                violations,
                "flows of no cluster of the run",
                "select namespace, name, uid from slipway_flow where namespace <> '" + namespace + "'");
        none(
                violations,
                "jobs without retries that have no incident",
                "select j.id_, j.handler_type_, j.exception_msg_ from act_ru_job j where j.retries_ = 0 and not exists"
                        + " (select 1 from act_ru_incident i where i.configuration_ = j.id_)");
        none(
                violations,
                "jobs without retries",
                "select j.id_, j.handler_type_, j.exception_msg_ from act_ru_job j where j.retries_ = 0");
        none(
                violations,
                "waits without a flow",
                "select r.name, r.phase, r.flow_id from slipway_phase_run r where r.left_at is null and not exists"
                        + " (select 1 from slipway_flow f where f.instance_id = r.flow_id and f.ended_at is null)");
        none(
                violations,
                "active flows without a wait",
                "select f.name, f.kind, f.instance_id from slipway_flow f where f.ended_at is null and not exists"
                        + " (select 1 from slipway_phase_run r where r.flow_id = f.instance_id and r.left_at is null)");
        none(
                violations,
                "process instances without an active flow",
                "select e.id_, e.business_key_ from act_ru_execution e where e.parent_id_ is null and not exists"
                        + " (select 1 from slipway_flow f where f.instance_id = e.id_ and f.ended_at is null)");
        none(
                violations,
                "active flows without a process instance",
                "select f.name, f.instance_id from slipway_flow f where f.ended_at is null and not exists"
                        + " (select 1 from act_ru_execution e where e.id_ = f.instance_id)");
        none(
                violations,
                "operator's tasks without a stuck wait",
                "select t.id_, t.name_ from act_ru_task t where not exists (select 1 from slipway_phase_run r"
                        + " where r.flow_id = t.proc_inst_id_ and r.left_at is null and r.stuck)");
    }

    private void flow(Fleet.Member member, Violations violations) {
        List<Map<String, Object>> flows = database.queryForList(
                "select kind, state, result, active_key, ended_at from slipway_flow"
                        + " where namespace = ? and name = ? and kind = 'init'",
                namespace,
                member.name());
        violations.check(
                flows.size() == 1, member.name() + " has " + flows.size() + " flows that build it, not one: " + flows);
        if (flows.size() == 1) {
            boolean open = flows.get(0).get("ended_at") == null;
            violations.check(
                    open == member.defect().isPresent(),
                    member.name() + ": its flow should " + (open ? "have ended" : "be open") + ": " + flows.get(0));
        }
    }

    private void taskNames(Fleet.Member member, Defect defect, Violations violations) {
        List<String> tasks = tasks(member);
        violations.check(
                tasks.size() == 1,
                member.name() + " (" + defect + ") has " + tasks.size() + " operator's tasks, not one");
        tasks.forEach(text -> violations.check(
                text.contains("\nCause: " + defect.cause() + ": "),
                member.name() + " (" + defect + "): its task does not name the cause: " + text.replace('\n', '|')));
        JsonNode cluster = clusters.get(member.name());
        violations.check(
                Fleet.needsOperator(cluster, defect),
                member.name() + " (" + defect + "): its condition does not name the cause: "
                        + Fleet.condition(cluster));
        Integer incidents = database.queryForObject(
                "select count(*) from act_ru_incident i join slipway_flow f on f.instance_id = i.proc_inst_id_"
                        + " where f.namespace = ? and f.name = ? and i.incident_type_ = 'phaseStuck'",
                Integer.class,
                namespace,
                member.name());
        violations.check(incidents != null && incidents > 0, member.name() + " has a task, but no incident");
    }

    private List<String> tasks(Fleet.Member member) {
        return database.queryForList(
                "select t.description_ from act_ru_task t join slipway_flow f on f.instance_id = t.proc_inst_id_"
                        + " where f.namespace = ? and f.name = ?",
                String.class,
                namespace,
                member.name());
    }

    private String state(Fleet.Member member) {
        JsonNode cluster = clusters.get(member.name());
        return cluster == null
                ? "it does not exist"
                : cluster.path("status").path("flow").toString();
    }

    private void none(Violations violations, String what, String query) {
        List<Map<String, Object>> rows = database.queryForList(query);
        violations.check(rows.isEmpty(), what + ": " + rows);
    }
}
