import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Act } from './act';
import type { ClusterView } from './api';
import { useFleet } from './fleet-pages';
import type { Fleet, FleetState } from './fleet-pages';
import { ordered } from './fleet-states';
import { Notice } from './flow';
import { age } from './format';
import { Mark } from './mark';
import { useNamespaces } from './namespaces';
import { useNow } from './poll';
import { clusterMood, currentPhase, flowEnd, nextCheck, reasonOf } from './reading';
import { clusterHref, goTo, noFilters, replaceRoute, sorts } from './router';
import type { Filters, Order, Sort } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { Empty } from './table';
import { known, language, t } from './text';
import { useWindowed } from './windowed';

/** As high as the style sheet makes them. */
const rowHeight = 58;
const headHeight = 38;

/** All clusters: how many of which state, and what each waits for. */
export function FleetPage({ filters }: { filters: Filters }) {
  const fleet = useFleet(filters);
  const { data, error, confirmedAt, stream, reload } = fleet;
  const now = useNow();
  return (
    <>
      <div class="page-head">
        <Heading title={t('fleet.title')} />
        <div class="row">
          <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
          <Act
            action="CREATE"
            onAct={() => {
              goTo({ page: 'create' });
            }}
          >
            {t('create.open')}
          </Act>
        </div>
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data?.warning == null ? null : <Notice text={data.warning} />}
      {data === undefined ? null : <Clusters fleet={data} filters={filters} now={now} see={fleet.see} />}
    </>
  );
}

interface ClustersProps {
  fleet: FleetState;
  filters: Filters;
  now: number;
  see: Fleet['see'];
}

function Clusters({ fleet, filters, now, see }: ClustersProps) {
  const all = Object.values(fleet.counts).reduce((sum, count) => sum + count, 0);
  const narrowed = filters.text !== '' || filters.state !== '' || filters.namespace !== '';
  if (fleet.total === 0 && !narrowed) return <Empty title={t('fleet.empty')} hint={t('fleet.empty.hint')} />;
  return (
    <>
      <States counts={fleet.counts} all={all} filters={filters} />
      <Search fleet={fleet} all={all} filters={filters} />
      {fleet.total === 0 ? (
        <Empty title={t('fleet.nomatch')}>
          <button
            type="button"
            onClick={() => {
              show(noFilters);
            }}
          >
            {t('fleet.reset')}
          </button>
        </Empty>
      ) : (
        <Rows key={JSON.stringify(filters)} fleet={fleet} filters={filters} now={now} see={see} />
      )}
    </>
  );
}

function show(filters: Filters): void {
  replaceRoute({ page: 'fleet', filters });
}

/** The counts by state; each shows its clusters alone. */
function States({ counts, all, filters }: { counts: Record<string, number>; all: number; filters: Filters }) {
  const states = useMemo(() => ordered(counts), [counts]);
  return (
    <div class="states" role="group" aria-label={t('fleet.states')}>
      <State state="" filters={filters} count={all}>
        {t('fleet.all')}
      </State>
      {states.map(([state, count]) => (
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

const orders: readonly Order[] = ['asc', 'desc'];

function Search({ fleet, all, filters }: { fleet: FleetState; all: number; filters: Filters }) {
  const namespaces = useNamespaces(filters.namespace);
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
          {namespaces.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <label class="row">
        {t('fleet.sort')}
        <select
          value={`${filters.sort} ${filters.order}`}
          onChange={(event) => {
            const [sort, order] = event.currentTarget.value.split(' ') as [Sort, Order];
            show({ ...filters, sort, order });
          }}
        >
          {sorts.flatMap((sort) =>
            orders.map((order) => (
              <option key={`${sort} ${order}`} value={`${sort} ${order}`}>
                {t(`fleet.sort.${sort}.${order}`)}
              </option>
            )),
          )}
        </select>
      </label>
      <p role="status" class="quiet push">
        {t('fleet.summary', { stuck: fleet.counts.Stuck ?? 0, all, shown: fleet.total })}
      </p>
    </form>
  );
}

const columns = ['cluster', 'state', 'phase', 'waiting', 'since', 'runs', 'next'] as const;

/** Columns that the server can sort by. */
const sortable: Partial<Record<(typeof columns)[number], Sort>> = { cluster: 'name', state: 'attention', since: 'since' };

interface RowsProps {
  fleet: FleetState;
  filters: Filters;
  now: number;
  see: Fleet['see'];
}

/** The rows that can be seen; of any number of clusters no more than those are read and drawn. */
function Rows({ fleet, filters, now, see }: RowsProps) {
  const { total } = fleet;
  const { place, first, end, reveal } = useWindowed(total, rowHeight, headHeight);
  useEffect(() => {
    see(first, end);
  }, [first, end, see]);

  const wanted = useRef<number>(undefined);

  function focusWanted(): void {
    if (wanted.current === undefined) return;
    const link = place.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"] a`);
    if (link == null) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  }

  // One that was not read or drawn yet is after the scroll.
  useEffect(focusWanted);

  /** Arrows go from row to row, also to those that are not drawn yet. */
  function move(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-row]');
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -total, End: total };
    const step = steps[event.key];
    if (row === null || step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(total - 1, (wanted.current ?? Number(row.dataset.row)) + step));
    wanted.current = next;
    reveal(next);
    focusWanted();
  }

  return (
    <div ref={place} class="list" tabIndex={0} role="region" aria-label={t('fleet.table')} onKeyDown={move}>
      <table aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnHead key={column} column={column} filters={filters} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} />
          {Array.from({ length: end - first }, (_, index) => {
            const cluster = fleet.row(first + index);
            return cluster === undefined ? (
              <Unread key={first + index} row={first + index} />
            ) : (
              <Row key={cluster.uid} row={first + index} cluster={cluster} now={now} />
            );
          })}
          <Space rows={total - end} />
        </tbody>
      </table>
    </div>
  );
}

function ColumnHead({ column, filters }: { column: (typeof columns)[number]; filters: Filters }) {
  const sort = sortable[column];
  const title = t(`fleet.${column}`);
  if (sort === undefined) {
    return (
      <th scope="col" class={`col-${column}`}>
        {title}
      </th>
    );
  }
  const current = filters.sort === sort;
  const rising = filters.order === 'asc';
  return (
    <th scope="col" class={`col-${column}`} aria-sort={current ? (rising ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        class="sort"
        onClick={() => {
          show({ ...filters, sort, order: current && rising ? 'desc' : 'asc' });
        }}
      >
        {title}
        <span aria-hidden="true">{current ? (rising ? ' ▲' : ' ▼') : ''}</span>
      </button>
    </th>
  );
}

/** The place of a cluster that is being read. */
function Unread({ row }: { row: number }) {
  return (
    <tr aria-rowindex={row + 2} data-row={row} aria-busy="true">
      <td colSpan={columns.length} class="quiet">
        {t('load.slow')}
      </td>
    </tr>
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
