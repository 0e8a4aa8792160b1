-- Who did what. Rows are only ever added, and removed when they are older than slipway.audit.keep.
create table slipway_audit (
    id         bigint generated always as identity primary key,
    noted_at   timestamp with time zone not null,
    by_user    varchar(255) not null,
    via        varchar(32)  not null,
    address    varchar(64),
    action     varchar(32)  not null,
    what       varchar(128),
    kind       varchar(64),
    namespace  varchar(253),
    name       varchar(253),
    flow_id    varchar(64),
    phase      varchar(128),
    reason     varchar(2000),
    result     varchar(32)  not null,
    message    varchar(2000)
);
create index slipway_audit_at on slipway_audit (noted_at, id);
create index slipway_audit_by on slipway_audit (by_user, noted_at, id);
create index slipway_audit_action on slipway_audit (action, noted_at, id);
create index slipway_audit_object on slipway_audit (namespace, name, noted_at, id);

-- Answers to requests that carried an Idempotency-Key. The id is a hash of user, method, path and key: the first insert wins.
create table slipway_idempotency (
    id           varchar(64)  primary key,
    request_hash varchar(64)  not null,
    claim        varchar(64)  not null,
    created_at   timestamp with time zone not null,
    done_at      timestamp with time zone,
    status       integer,
    location     varchar(2000),
    content_type varchar(255),
    body         varchar(1000000)
);
create index slipway_idempotency_created on slipway_idempotency (created_at);

-- Failed runs of phases, counted by the hour. Each node has rows of its own, so that none waits for another.
create table slipway_retry (
    bucket_at timestamp with time zone not null,
    node      varchar(128) not null,
    kind      varchar(64)  not null,
    phase     varchar(128) not null,
    code      varchar(128) not null,
    amount    bigint       not null,
    primary key (bucket_at, node, kind, phase, code)
);

-- Lists of flows, runs and escalations, by what they are filtered and sorted by.
create index slipway_flow_started on slipway_flow (started_at);
create index slipway_flow_object on slipway_flow (namespace, name, started_at);
create index slipway_phase_run_entered on slipway_phase_run (entered_at);
create index slipway_phase_run_left on slipway_phase_run (left_at);
create index slipway_escalation_opened on slipway_escalation (opened_at);
create index slipway_receipt_started on slipway_receipt (started_at);
