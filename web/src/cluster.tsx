import { useMemo, useState } from 'preact/hooks';
import type { ClusterDetails, Subject, WorkItemView } from './api';
import { ClusterEvents } from './cluster-events';
import { Conditions } from './conditions';
import { DeleteButton } from './deletion';
import { Diagnose } from './diagnosis';
import { Flow, Notice } from './flow';
import { age } from './format';
import { ApiError, apiUrl, reader, withQuery } from './http';
import { itemColumns } from './item-columns';
import { Mark } from './mark';
import { useLive, useNow, usePolled } from './poll';
import { clusterMood, nested } from './reading';
import { fleetHref, hrefOf } from './router';
import { Connection, FirstLook, Heading, ObjectHeading } from './shell';
import { DataTable } from './table';
import { known, t } from './text';
import { Trail } from './trail';

/** One cluster: where it stands, what to do, and what happened. */
export function ClusterPage({ namespace, name }: { namespace: string; name: string }) {
  const load = useMemo(() => reader<ClusterDetails>(apiUrl('clusters', namespace, name)), [namespace, name]);
  const { data, error, confirmedAt, stream, reload } = useLive(load, { cluster: `${namespace}/${name}` }, ['cluster']);
  const [changes, setChanges] = useState(0);
  const now = useNow();
  const changed = () => {
    setChanges(changes + 1);
    reload();
  };
  const subject: Subject = { kind: 'clusters', namespace, name };
  if (error instanceof ApiError && error.status === 404) return <Gone namespace={namespace} name={name} />;
  return (
    <>
      <p class="crumbs">
        <a href={fleetHref}>{t('cluster.back')}</a>
      </p>
      <div class="page-head">
        <ObjectHeading namespace={namespace} name={name} />
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Summary details={data} now={now} onChanged={changed} />
          {data.warning == null ? null : <Notice text={data.warning} />}
          <Flows details={data} now={now} subject={subject} onChanged={changed} />
          <WorkItems namespace={namespace} name={name} now={now} />
          <Conditions conditions={data.conditions ?? []} now={now} />
          <Diagnose cluster={data.cluster} now={now} />
          <ClusterEvents namespace={namespace} name={name} now={now} />
          <Trail cluster={subject} changes={changes} now={now} />
        </>
      )}
    </>
  );
}

/** Nobody knows the name any more: what was deleted has a receipt. */
function Gone({ namespace, name }: { namespace: string; name: string }) {
  return (
    <div class="empty">
      <Heading title={t('gone.title', { name: `${namespace}/${name}` })} />
      <p>
        <a href={hrefOf({ page: 'receipts', query: { namespace, name } })}>{t('gone.receipts')}</a>
      </p>
      <p>
        <a href={fleetHref}>{t('cluster.back')}</a>
      </p>
    </div>
  );
}

function Summary({ details, now, onChanged }: { details: ClusterDetails; now: number; onChanged: () => void }) {
  const { cluster, flows, receipt } = details;
  const { phase, origin, version, created } = cluster;
  const deleting = flows.some((flow) => flow.kind === 'delete' && flow.state === 'RUNNING');
  return (
    <div class="row summary">
      <Mark mood={clusterMood(phase)} text={known('state', phase)} />
      {origin === undefined ? null : <span class="quiet">{t(`cluster.origin.${origin}`)}</span>}
      {version == null ? null : <span class="quiet">{t('cluster.version', { version })}</span>}
      {created == null ? null : <span class="quiet">{t('cluster.created', { age: age(created, now) })}</span>}
      {receipt == null ? null : <a href={hrefOf({ page: 'receipt', flow: receipt.flow })}>{t('receipts.latest')}</a>}
      {deleting ? null : <DeleteButton cluster={cluster} onStarted={onChanged} />}
    </div>
  );
}

interface FlowsProps {
  details: ClusterDetails;
  now: number;
  subject: Subject;
  onChanged: () => void;
}

function Flows({ details, now, subject, onChanged }: FlowsProps) {
  const all = nested(details.flows);
  const leading = all.find(({ flow }) => flow.state === 'RUNNING') ?? all[0];
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">{t('cluster.flows')}</h2>
      {all.length === 0 ? <p class="quiet">{t('cluster.noflow')}</p> : null}
      {all.map(({ flow, called }) => (
        <Flow
          key={flow.id}
          flow={flow}
          called={called}
          now={now}
          subject={subject}
          first={flow === leading?.flow}
          onChanged={onChanged}
        />
      ))}
    </section>
  );
}

const slow = { interval: 10_000, slowest: 60_000 };

/** What is installed on the cluster; each has a page of its own, where it can be decided about. */
function WorkItems({ namespace, name, now }: { namespace: string; name: string; now: number }) {
  const load = useMemo(
    () => reader<{ items: WorkItemView[] }>(withQuery(apiUrl('work-items'), { namespace, cluster: name, limit: 1_000 })),
    [namespace, name],
  );
  const { data, error } = usePolled(load, slow);
  return (
    <section aria-labelledby="items">
      <h2 id="items">{t('items.title')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data?.items.length === 0 ? <p class="quiet">{t('items.noneOf')}</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <DataTable labelledby="items" columns={itemColumns(now, true)} rows={data.items} keyOf={(one) => one.uid} />
      )}
    </section>
  );
}
