-- Sessions of people in browsers, as Spring Session keeps them; any node reads them.
create table slipway_session (
    primary_id            char(36) not null primary key,
    session_id            char(36) not null,
    creation_time         bigint   not null,
    last_access_time      bigint   not null,
    max_inactive_interval int      not null,
    expiry_time           bigint   not null,
    principal_name        varchar(255)
);
create unique index slipway_session_id on slipway_session (session_id);
create index slipway_session_expiry on slipway_session (expiry_time);
create index slipway_session_principal on slipway_session (principal_name);

create table slipway_session_attributes (
    session_primary_id char(36)     not null references slipway_session (primary_id) on delete cascade,
    attribute_name     varchar(200) not null,
    attribute_bytes    bytea        not null,
    primary key (session_primary_id, attribute_name)
);

-- Service accounts and people of a provider have longer names than users of the engine.
alter table slipway_flow alter column started_by set data type varchar(255);
alter table slipway_decision alter column decided_by set data type varchar(255);
alter table slipway_receipt alter column started_by set data type varchar(255);
alter table slipway_receipt_decision alter column decided_by set data type varchar(255);
