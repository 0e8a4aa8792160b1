-- Slipway's own tables beside the engine's. One dialect for H2 and PostgreSQL.

create table slipway_node (
    id           varchar(128) primary key,
    incarnation  varchar(64)  not null,
    started_at   timestamp with time zone not null,
    heartbeat_at timestamp with time zone not null
);

-- One row per flow. The unique keys decide who starts one, also between nodes.
create table slipway_flow (
    id           varchar(64)  primary key,
    instance_id  varchar(64)  unique,
    kind         varchar(64)  not null,
    namespace    varchar(63)  not null,
    name         varchar(253) not null,
    uid          varchar(64)  not null,
    active_key   varchar(192) unique,
    trigger_key  varchar(192) unique,
    state        varchar(16)  not null,
    result       varchar(64),
    started_by   varchar(128) not null,
    started_at   timestamp with time zone not null,
    ended_at     timestamp with time zone
);
create index slipway_flow_uid on slipway_flow (uid, started_at);

-- One row per run of a phase, from entering to leaving: the wait while left_at is null, the record afterwards.
-- The id is the engine's activity instance id of the phase.
create table slipway_phase_run (
    id              varchar(64)  primary key,
    flow_id         varchar(64)  not null,
    flow            varchar(128) not null,
    definition_id   varchar(64)  not null,
    namespace       varchar(63)  not null,
    name            varchar(253) not null,
    uid             varchar(64)  not null,
    element_id      varchar(128) not null,
    phase           varchar(128) not null,
    execution_id    varchar(64)  not null,
    scope_id        varchar(64)  not null,
    timer_id        varchar(64),
    owner           varchar(128) not null,
    state           varchar(16)  not null,
    stuck           boolean      not null,
    attempt         integer      not null,
    failures        integer      not null,
    failure_class   varchar(16),
    unchanged       integer      not null,
    reason          varchar(128),
    message         varchar(2000),
    error_code      varchar(128),
    error_message   varchar(2000),
    actions         varchar(4000),
    entered_at      timestamp with time zone not null,
    last_check      timestamp with time zone,
    next_check      timestamp with time zone,
    stuck_at        timestamp with time zone,
    escalated_at    timestamp with time zone,
    left_at         timestamp with time zone
);
create index slipway_phase_run_flow on slipway_phase_run (flow_id, entered_at);
create index slipway_phase_run_owner on slipway_phase_run (owner, left_at);

-- What operators decided: recorded first, applied until it holds.
create table slipway_decision (
    id          varchar(64)  primary key,
    flow_id     varchar(64)  not null,
    run_id      varchar(64)  not null,
    choice      varchar(32)  not null,
    decided_by  varchar(128) not null,
    reason      varchar(2000),
    decided_at  timestamp with time zone not null,
    applied_at  timestamp with time zone,
    result      varchar(32)
);
create index slipway_decision_open on slipway_decision (applied_at);
