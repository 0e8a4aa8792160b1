-- One key for the flows of a cluster's life: what builds does not run beside what deletes.
update slipway_flow set active_key = uid || '/life' where active_key = uid || '/build';

-- What a deletion did. It outlives the objects, the flow and what the flow's own tables say: all of it is copied at the end.
create table slipway_receipt (
    flow_id      varchar(64)  primary key,
    kind         varchar(64)  not null,
    namespace    varchar(63)  not null,
    name         varchar(253) not null,
    uid          varchar(64)  not null,
    mode         varchar(32),
    started_by   varchar(128) not null,
    started_at   timestamp with time zone not null,
    reason       varchar(2000),
    result       varchar(64),
    closed_at    timestamp with time zone
);
create index slipway_receipt_cluster on slipway_receipt (namespace, name, started_at);
create index slipway_receipt_closed on slipway_receipt (closed_at);

create table slipway_receipt_entry (
    flow_id  varchar(64)   not null,
    what     varchar(512)  not null,
    fate     varchar(16)   not null,
    phase    varchar(128)  not null,
    why      varchar(2000),
    noted_at timestamp with time zone not null,
    primary key (flow_id, what)
);

create table slipway_receipt_phase (
    flow_id    varchar(64)  not null,
    run_id     varchar(64)  not null,
    phase      varchar(128) not null,
    state      varchar(16)  not null,
    reason     varchar(128),
    entered_at timestamp with time zone not null,
    left_at    timestamp with time zone,
    primary key (flow_id, run_id)
);

create table slipway_receipt_decision (
    flow_id     varchar(64)  not null,
    decision_id varchar(64)  not null,
    choice      varchar(32)  not null,
    phase       varchar(128),
    decided_by  varchar(128) not null,
    reason      varchar(2000),
    state       varchar(16)  not null,
    decided_at  timestamp with time zone not null,
    primary key (flow_id, decision_id)
);
