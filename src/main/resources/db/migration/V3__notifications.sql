-- What a webhook is to be told: written in the transaction of the escalation, settled once it was told or given up.
-- The id is the idempotency key. While a notification is being sent, due_at is when that attempt counts as lost;
-- the attempt's number decides who may write what became of it.
create table slipway_notification (
    id             varchar(210) primary key,
    escalation_id  varchar(200) not null,
    event          varchar(16)  not null,
    facts          varchar(1000000) not null,
    created_at     timestamp with time zone not null,
    attempts       integer      not null,
    due_at         timestamp with time zone not null,
    failure        varchar(16),
    last_error     varchar(1000),
    refused_since  timestamp with time zone,
    settled_at     timestamp with time zone,
    result         varchar(16)
);
create index slipway_notification_due on slipway_notification (settled_at, due_at);
create index slipway_notification_escalation on slipway_notification (escalation_id);
