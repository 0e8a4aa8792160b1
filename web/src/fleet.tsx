import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { apiUrl, reader } from './api';
import type { ClusterList, ClusterView } from './api';
import { counts, filtered, namespaces } from './fleet-filter';
import { Notice } from './flow';
import { age } from './format';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import { clusterMood, currentPhase, flowEnd, nextCheck, reasonOf } from './reading';
import { clusterHref, noFilters, replaceRoute } from './router';
import type { Filters } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { known, language, t } from './text';
import { useWindowed } from './windowed';

/** As high as the style sheet makes them. */
const rowHeight = 58;
const headHeight = 38;

/** All clusters: how many of which state, and what each waits for. */
export function FleetPage({ filters }: { filters: Filters }) {
  const load = useMemo(() => reader<ClusterList>(apiUrl('clusters')), []);
  const { data, error, confirmedAt, reload } = usePolled(load);
  const now = useNow();
  return (
    <>
      <div class="page-head">
        <Heading title={t('fleet.title')} />
        <Connection error={error} confirmedAt={confirmedAt} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data?.warning == null ? null : <Notice text={data.warning} />}
      {data === undefined ? null : <Fleet items={data.items} filters={filters} now={now} />}
    </>
  );
}

function Fleet({ items, filters, now }: { items: ClusterView[]; filters: Filters; now: number }) {
  const shown = useMemo(() => filtered(items, filters), [items, filters]);
  if (items.length === 0) {
    return (
      <div class="empty">
        <p>
          <strong>{t('fleet.empty')}</strong>
        </p>
        <p>{t('fleet.empty.hint')}</p>
      </div>
    );
  }
  return (
    <>
      <States items={items} filters={filters} />
      <Search items={items} filters={filters} shown={shown} />
      {shown.length === 0 ? (
        <div class="empty">
          <p>
            <strong>{t('fleet.nomatch')}</strong>
          </p>
          <button
            type="button"
            onClick={() => {
              show(noFilters);
            }}
          >
            {t('fleet.reset')}
          </button>
        </div>
      ) : (
        <Rows clusters={shown} now={now} />
      )}
    </>
  );
}

function show(filters: Filters): void {
  replaceRoute({ page: 'fleet', filters });
}

/** The counts by state; each shows its clusters alone. */
function States({ items, filters }: { items: ClusterView[]; filters: Filters }) {
  const all = useMemo(() => counts(items), [items]);
  return (
    <div class="states" role="group" aria-label={t('fleet.states')}>
      <State state="" filters={filters} count={items.length}>
        {t('fleet.all')}
      </State>
      {all.map(([state, count]) => (
        <State key={state} state={state} filters={filters} count={count}>
          <Mark mood={clusterMood(state)} text={known('state', state)} />
        </State>
      ))}
    </div>
  );
}

interface StateProps {
  state: string;
  filters: Filters;
  count: number;
  children: ComponentChildren;
}

function State({ state, filters, count, children }: StateProps) {
  return (
    <button
      type="button"
      class="state"
      aria-pressed={filters.state === state}
      onClick={() => {
        show({ ...filters, state: filters.state === state ? '' : state });
      }}
    >
      <span class="state-count">{count.toLocaleString(language())}</span> {children}
    </button>
  );
}

function Search({ items, filters, shown }: { items: ClusterView[]; filters: Filters; shown: ClusterView[] }) {
  const all = useMemo(() => namespaces(items), [items]);
  const stuck = useMemo(() => items.filter((one) => one.stuck).length, [items]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <label class="row">
        {t('fleet.search')}
        <input
          type="search"
          name="q"
          placeholder={t('fleet.search.hint')}
          value={filters.text}
          onInput={(event) => {
            show({ ...filters, text: event.currentTarget.value });
          }}
        />
      </label>
      <label class="row">
        {t('fleet.namespace')}
        <select
          value={filters.namespace}
          onChange={(event) => {
            show({ ...filters, namespace: event.currentTarget.value });
          }}
        >
          <option value="">{t('fleet.namespace.all')}</option>
          {all.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <p role="status" class="quiet push">
        {t('fleet.summary', { stuck, all: items.length, shown: shown.length })}
      </p>
    </form>
  );
}

const columns = ['cluster', 'state', 'phase', 'waiting', 'since', 'runs', 'next'] as const;

/** The rows that can be seen; of any number of clusters no more than those are drawn. */
function Rows({ clusters, now }: { clusters: ClusterView[]; now: number }) {
  const { place, first, end, reveal } = useWindowed(clusters.length, rowHeight, headHeight);

  const wanted = useRef<number>(undefined);

  function focusWanted(): void {
    if (wanted.current === undefined) return;
    const link = place.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"] a`);
    if (link == null) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  }

  // One that was not drawn yet is after the scroll.
  useEffect(focusWanted);

  /** Arrows go from row to row, also to those that are not drawn yet. */
  function move(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-row]');
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -clusters.length, End: clusters.length };
    const step = steps[event.key];
    if (row === null || step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(clusters.length - 1, Number(row.dataset.row) + step));
    wanted.current = next;
    reveal(next);
    focusWanted();
  }

  return (
    <div ref={place} class="list" tabIndex={0} role="region" aria-label={t('fleet.table')} onKeyDown={move}>
      <table aria-rowcount={clusters.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column} scope="col" class={`col-${column}`}>
                {t(`fleet.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} />
          {clusters.slice(first, end).map((cluster, index) => (
            <Row key={cluster.uid} row={first + index} cluster={cluster} now={now} />
          ))}
          <Space rows={clusters.length - end} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <tr aria-hidden="true" class="space">
      <td style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );
}

function Row({ row, cluster, now }: { row: number; cluster: ClusterView; now: number }) {
  const here = cluster.flow == null ? undefined : currentPhase(cluster.flow);
  return (
    <tr aria-rowindex={row + 2} data-row={row}>
      <th scope="row" class="col-cluster">
        <a href={clusterHref(cluster)}>
          <span class="quiet">{cluster.namespace}/</span>
          {cluster.name}
        </a>
        {cluster.origin === 'Cluster' ? <span class="quiet small">{t('fleet.imported')}</span> : null}
        {here === undefined || cluster.origin === 'Cluster' ? null : (
          <span class="quiet small narrow" aria-hidden="true">
            {here.title}: {reasonOf(here)}
          </span>
        )}
      </th>
      <td class="col-state">
        <Mark mood={clusterMood(cluster.phase)} text={known('state', cluster.phase)} />
      </td>
      <FlowCells cluster={cluster} now={now} />
    </tr>
  );
}

function FlowCells({ cluster, now }: { cluster: ClusterView; now: number }) {
  const flow = cluster.flow;
  if (flow == null) {
    return (
      <td colSpan={5} class="col-phase quiet">
        {t('fleet.noflow')}
      </td>
    );
  }
  const phase = currentPhase(flow);
  const progress = t('fleet.progress', { kind: flow.kind, done: flow.done, of: flow.of });
  if (flow.state !== 'RUNNING' || phase === undefined) {
    return (
      <>
        <td class="col-phase">
          <span class="quiet">{progress}</span>
        </td>
        <td class="col-waiting">{flow.state === 'RUNNING' ? t('fleet.between') : flowEnd(flow)}</td>
        <td class="col-since number">{age(flow.endedAt ?? flow.startedAt, now)}</td>
        <td class="col-runs" />
        <td class="col-next" />
      </>
    );
  }
  return (
    <>
      <td class="col-phase">
        {phase.title}
        <span class="quiet small">{progress}</span>
      </td>
      <td class="col-waiting">
        <strong>{reasonOf(phase)}</strong>
        <span class="small message" title={phase.message ?? undefined}>
          {phase.message}
        </span>
      </td>
      <td class="col-since number">{age(phase.since, now)}</td>
      <td class="col-runs number">{phase.attempt}</td>
      <td class="col-next number">{nextCheck(phase, now)}</td>
    </>
  );
}
