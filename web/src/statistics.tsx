import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PhaseStatistics, Statistics } from './api';
import { Bars } from './chart';
import type { Bar } from './chart';
import { locale, span, words } from './format';
import { apiUrl, reader, withQuery } from './http';
import { Choose } from './list-page';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import type { Query } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { TableSection } from './table';
import { language, t } from './text';

const pace = { interval: 60_000, slowest: 300_000 };
const spans = ['P1D', 'P7D', 'P30D', 'P90D'] as const;
const usual = 'P7D';
const kinds = ['init', 'import', 'delete', 'work-item-install', 'work-item-delete'] as const;

/** How long things take in the fleet, how often they fail, and what is stuck. */
export function StatisticsPage({ query }: { query: Query }) {
  const { since = usual, kind = '' } = query;
  const url = withQuery(apiUrl('statistics'), { since, kind });
  const load = useMemo(() => reader<Statistics>(url), [url]);
  const { data, error, confirmedAt, stream, reload } = usePolled(load, pace);
  const now = useNow();
  const filter = { page: 'statistics', query } as const;
  return (
    <>
      <div class="page-head">
        <Heading title={t('statistics.title')} />
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      <p class="quiet">{t('statistics.intro')}</p>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Choose
          {...filter}
          query={{ ...query, since }}
          name="since"
          label={t('statistics.since')}
          options={spans.map((one) => [one, t(`statistics.${one}`)])}
        />
        <Choose
          {...filter}
          name="kind"
          label={t('receipts.kind')}
          options={[['', t('statistics.allkinds')], ...kinds.map((one): [string, string] => [one, one])]}
        />
      </form>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Flows statistics={data} />
          <Retries statistics={data} now={now} />
          <Phases statistics={data} />
        </>
      )}
    </>
  );
}

function Flows({ statistics }: { statistics: Statistics }) {
  const number = (value: number) => value.toLocaleString(language());
  return (
    <TableSection
      id="flows"
      title={t('cluster.flows')}
      none={t('statistics.none')}
      rows={statistics.flows}
      keyOf={(one) => `${one.kind} ${one.state} ${one.result ?? ''}`}
      columns={[
        { title: t('receipts.kind'), head: true, cell: (one) => one.kind },
        {
          title: t('receipts.result'),
          cell: ({ state, result }) => {
            if (state === 'RUNNING') return <Mark mood="active" text={t('receipts.open')} />;
            if (state === 'COMPLETED') return <Mark mood="done" text={result == null ? t('flow.Completed') : words(result)} />;
            return <Mark mood="ended" text={t(state === 'INTERRUPTED' ? 'flow.interrupted' : 'flow.aborted')} />;
          },
        },
        { title: t('preview.count'), class: 'number', cell: (one) => number(one.count) },
      ]}
    />
  );
}

/** ISO 8601 of the buckets that the server uses. */
function lengthOf(bucket: string): number {
  return bucket === 'PT1H' ? 3_600_000 : 86_400_000;
}

/** A bar for each part of the time, also for those in which nothing failed. */
export function barsOf({ retries, since, bucket }: Statistics, now: number): Bar[] {
  const length = lengthOf(bucket);
  const counts = new Map<number, number>();
  for (const { from, count } of retries) {
    const begin = Date.parse(from);
    counts.set(begin, (counts.get(begin) ?? 0) + count);
  }
  // Buckets begin where the server says; the others lie a whole number of lengths away.
  const [some = Math.floor(Date.parse(since) / length) * length] = counts.keys();
  const first = some - Math.floor((some - Date.parse(since)) / length) * length;
  const daily = length > 3_600_000;
  const bars: Bar[] = [];
  for (let begin = first; begin <= now; begin += length) {
    const when = new Date(begin);
    const count = counts.get(begin) ?? 0;
    bars.push({
      title: daily ? when.toLocaleDateString(locale()) : when.toLocaleString(locale()),
      short: daily
        ? when.toLocaleDateString(locale(), { month: 'numeric', day: 'numeric' })
        : when.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' }),
      value: count,
      bad: count,
    });
  }
  return bars;
}

interface Cause {
  phase: string;
  kind: string;
  code: string;
  count: number;
}

const causesShown = 20;

function Retries({ statistics, now }: { statistics: Statistics; now: number }) {
  const minute = Math.floor(now / 60_000);
  const bars = useMemo(() => barsOf(statistics, minute * 60_000), [statistics, minute]);
  const causes = useMemo(() => causesOf(statistics), [statistics]);
  return (
    <section aria-labelledby="retries">
      <h2 id="retries">{t('statistics.retries')}</h2>
      {causes.length === 0 ? (
        <p class="quiet">{t('statistics.noretries')}</p>
      ) : (
        <>
          <Bars title={t('statistics.overtime')} value={t('statistics.failed')} bad={t('statistics.failed')} bars={bars} />
          <TableSection
            id="causes"
            title={t('statistics.causes')}
            none=""
            rows={causes.slice(0, causesShown)}
            keyOf={(one) => `${one.kind} ${one.phase} ${one.code}`}
            columns={[
              { title: t('statistics.cause'), head: true, cell: (one) => words(one.code) },
              { title: t('receipt.phase'), cell: (one) => one.phase },
              { title: t('receipts.kind'), cell: (one) => one.kind },
              { title: t('preview.count'), class: 'number', cell: (one) => one.count.toLocaleString(language()) },
            ]}
          />
        </>
      )}
    </section>
  );
}

function causesOf({ retries }: Statistics): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { phase, kind, code, count } of retries) {
    const key = `${kind} ${phase} ${code}`;
    const known = causes.get(key) ?? { phase, kind, code, count: 0 };
    causes.set(key, { ...known, count: known.count + count });
  }
  return [...causes.values()].sort((one, other) => other.count - one.count);
}

/** Below ten seconds the tenths count. */
export function seconds(value: number | null | undefined): string {
  if (value == null) return t('time.never');
  if (value >= 10) return span(value * 1_000);
  return `${value.toLocaleString(language(), { maximumFractionDigits: 1 })}${t('time.second')}`;
}

function Phases({ statistics }: { statistics: Statistics }) {
  const slowest = Math.max(1, ...statistics.phases.map((one) => one.p95 ?? 0));
  const column = (title: string, cell: (one: PhaseStatistics) => ComponentChildren) => ({ title, class: 'number', cell });
  return (
    <TableSection
      id="phases"
      title={t('receipt.phases')}
      none={t('statistics.none')}
      rows={statistics.phases}
      keyOf={(one) => `${one.kind} ${one.phase}`}
      columns={[
        {
          title: t('receipt.phase'),
          head: true,
          cell: (one) => (
            <>
              {one.title} <span class="quiet small">{one.kind}</span>
            </>
          ),
        },
        column(t('statistics.runs'), (one) => one.count.toLocaleString(language())),
        column(t('statistics.p50'), (one) => seconds(one.p50)),
        column(t('statistics.p95'), (one) => (
          <>
            {seconds(one.p95)}
            <svg class="gauge" viewBox="0 0 100 6" width="100" height="6" aria-hidden="true">
              <rect class="gauge-all" width="100" height="6" />
              <rect class="gauge-part" width={(100 * (one.p95 ?? 0)) / slowest} height="6" />
            </svg>
          </>
        )),
        column(t('statistics.max'), (one) => seconds(one.max)),
        column(t('history.tries'), (one) => one.attempts.toLocaleString(language())),
        column(t('history.failures'), (one) => one.failures.toLocaleString(language())),
        column(t('state.Stuck'), (one) =>
          one.stuck === 0 ? 0 : <Mark mood="stuck" text={one.stuck.toLocaleString(language())} />,
        ),
        column(t('receipts.open'), (one) => one.running.toLocaleString(language())),
      ]}
    />
  );
}
