-- What a decision is about that the phase itself carries out.
alter table slipway_decision add column argument varchar(2000);

-- A flow that another one called; and one key for flows that must not run side by side.
alter table slipway_flow add column parent_id varchar(64);
create index slipway_flow_parent on slipway_flow (parent_id);
update slipway_flow set active_key = uid || '/build' where active_key is not null and kind = 'init';
