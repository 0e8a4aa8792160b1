-- Why a phase is still where it is, which a conflict of two writers must not cover; and failures that escalate by count.
alter table slipway_phase_run add column cause_code varchar(128);
alter table slipway_phase_run add column cause_message varchar(2000);
alter table slipway_phase_run add column strikes integer default 0 not null;
alter table slipway_phase_run add column strike_class varchar(16);

-- Decisions with parameters; also about flows in which no phase waits.
alter table slipway_decision alter column run_id drop not null;
alter table slipway_decision add column namespace varchar(63);
alter table slipway_decision add column name varchar(253);
alter table slipway_decision add column uid varchar(64);
alter table slipway_decision add column phase varchar(128);
alter table slipway_decision add column from_element varchar(128);
alter table slipway_decision add column wait_millis bigint;
alter table slipway_decision add column check_overridden boolean default false not null;
alter table slipway_decision add column state varchar(16) default 'OPEN' not null;
alter table slipway_decision add column result_message varchar(2000);
alter table slipway_decision drop column result;
update slipway_decision set choice = 'WAIT_MORE' where choice = 'WAIT';
update slipway_decision set state = 'APPLIED' where applied_at is not null;
create index slipway_decision_run on slipway_decision (run_id);
create index slipway_decision_uid on slipway_decision (uid, decided_at);

-- Each time that a phase needed an operator. The open key keeps a run from being escalated twice at a time.
create table slipway_escalation (
    id         varchar(64)  primary key,
    open_key   varchar(64)  unique,
    run_id     varchar(64)  not null,
    flow_id    varchar(64)  not null,
    kind       varchar(64)  not null,
    namespace  varchar(63)  not null,
    name       varchar(253) not null,
    uid        varchar(64)  not null,
    phase      varchar(128) not null,
    title      varchar(255) not null,
    since      timestamp with time zone not null,
    attempts   integer      not null,
    reason     varchar(128) not null,
    message    varchar(2000) not null,
    actions    varchar(4000) not null,
    choices    varchar(255) not null,
    opened_at  timestamp with time zone not null,
    closed_at  timestamp with time zone,
    outcome    varchar(32)
);
create index slipway_escalation_flow on slipway_escalation (flow_id);
create index slipway_escalation_closed on slipway_escalation (closed_at);
