import { useEffect, useMemo, useState } from 'preact/hooks';
import { Act } from './act';
import { startItemFlow } from './api';
import type { AuditView, Page, WorkItemView } from './api';
import { useAsking, useOnce } from './asking';
import { auditColumns } from './audit';
import { Conditions } from './conditions';
import { Flow } from './flow';
import { age } from './format';
import { ApiError, apiUrl, reader, withQuery } from './http';
import { ItemState, itemColumns } from './item-columns';
import { Filter, ListOf } from './list-page';
import { useLive, useNow, usePolled } from './poll';
import { clusterHref, hrefOf } from './router';
import type { Query } from './router';
import { Connection, FirstLook, ObjectHeading } from './shell';
import { DataTable, Empty } from './table';
import { t } from './text';

/** All work items. */
export function WorkItemsPage({ query }: { query: Query }) {
  const filter = { page: 'work-items', query } as const;
  return (
    <ListOf<WorkItemView>
      page="work-items"
      query={query}
      title="items.title"
      intro="items.intro"
      none="items.none"
      hint="items.none.hint"
      asked={{ namespace: query.namespace ?? '', cluster: query.cluster ?? '' }}
      filters={
        <>
          <Filter {...filter} name="namespace" label={t('fleet.namespace')} />
          <Filter {...filter} name="cluster" label={t('fleet.cluster')} />
        </>
      }
      columns={(now) => itemColumns(now)}
      keyOf={(one) => one.uid}
    />
  );
}

/** One work item: how it stands, its flows, and what can be done. */
export function WorkItemPage({ namespace, name }: { namespace: string; name: string }) {
  const load = useMemo(() => reader<WorkItemView>(apiUrl('work-items', namespace, name)), [namespace, name]);
  const { data, error, confirmedAt, stream, reload } = useLive(load, { namespace }, ['work-items']);
  const [changes, setChanges] = useState(0);
  const now = useNow();
  const changed = () => {
    setChanges(changes + 1);
    reload();
  };
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title={t('items.gone', { name: `${namespace}/${name}` })}>
        <a href={hrefOf({ page: 'receipts', query: { namespace, name } })}>{t('gone.receipts')}</a>
      </Empty>
    );
  }
  return (
    <>
      <p class="crumbs">
        <a href={hrefOf({ page: 'work-items', query: {} })}>{t('items.title')}</a>
        {data === undefined || data.cluster === '' ? null : (
          <>
            {' / '}
            <a href={clusterHref({ namespace, name: data.cluster })}>{t('items.of', { name: data.cluster })}</a>
          </>
        )}
      </p>
      <div class="page-head">
        <ObjectHeading namespace={namespace} name={name} />
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Summary item={data} now={now} onChanged={changed} />
          <Flows item={data} now={now} onChanged={changed} />
          <Conditions conditions={data.conditions ?? []} now={now} />
          <Deeds namespace={namespace} name={name} changes={changes} now={now} />
        </>
      )}
    </>
  );
}

function Summary({ item, now, onChanged }: { item: WorkItemView; now: number; onChanged: () => void }) {
  const { namespace, name, release } = item;
  const { asked, ask } = useAsking();
  const once = useOnce();
  const running = item.flows.some((flow) => flow.state === 'RUNNING');
  const kind = item.deleting ? 'work-item-delete' : 'work-item-install';

  async function start(): Promise<void> {
    const done = await ask(async () => {
      await once(kind, (key) => startItemFlow(namespace, name, kind, key));
      return t('items.started');
    });
    if (done) onChanged();
  }

  return (
    <div class="row summary">
      <ItemState item={item} />
      <span class="quiet">{item.chart == null ? t('items.manifests') : t('items.chart', { chart: item.chart })}</span>
      {release?.version == null ? null : <span class="quiet">{t('items.version', { version: release.version })}</span>}
      {item.createdAt == null ? null : <span class="quiet">{t('cluster.created', { age: age(item.createdAt, now) })}</span>}
      <span class="row push">
        <span role="status" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
          {asked.state === 'done' || asked.state === 'refused' ? asked.text : null}
        </span>
        {running ? null : (
          <Act action="OPERATE" class="plain" busy={asked.state === 'asking'} onAct={() => void start()}>
            {t(item.deleting ? 'items.remove' : 'items.install')}
          </Act>
        )}
      </span>
    </div>
  );
}

function Flows({ item, now, onChanged }: { item: WorkItemView; now: number; onChanged: () => void }) {
  const { namespace, name, flows } = item;
  const leading = flows.find((flow) => flow.state === 'RUNNING') ?? flows[0];
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">{t('cluster.flows')}</h2>
      {flows.length === 0 ? <p class="quiet">{t('items.noflow')}</p> : null}
      {flows.map((flow) => (
        <Flow
          key={flow.id}
          flow={flow}
          called={[]}
          now={now}
          subject={{ kind: 'work-items', namespace, name }}
          first={flow === leading}
          onChanged={onChanged}
        />
      ))}
    </section>
  );
}

const slow = { interval: 10_000, slowest: 60_000 };

/** So many of the latest deeds are shown; the page of the audit has all. */
const latest = 20;

/** What people did about the work item, decisions among it. */
function Deeds({ namespace, name, changes, now }: { namespace: string; name: string; changes: number; now: number }) {
  const load = useMemo(
    () => reader<Page<AuditView>>(withQuery(apiUrl('audit'), { namespace, cluster: name, limit: latest })),
    [namespace, name],
  );
  const { data, error, reload } = usePolled(load, slow);
  useEffect(() => {
    if (changes > 0) reload();
  }, [changes]);
  return (
    <section aria-labelledby="deeds">
      <h2 id="deeds">{t('audit.about')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data?.items.length === 0 ? <p class="quiet">{t('audit.none')}</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <DataTable labelledby="deeds" columns={auditColumns(now)} rows={data.items} keyOf={(one) => one.id} />
      )}
    </section>
  );
}
