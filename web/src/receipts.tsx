import { useMemo } from 'preact/hooks';
import type { Fate, ReceiptDetails, ReceiptView } from './api';
import { decisionColumns } from './decisions';
import { locale, span, words } from './format';
import { apiUrl, reader } from './http';
import { Filter, ListOf } from './list-page';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import type { Mood } from './reading';
import { hrefOf } from './router';
import type { Query } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { Ago, TableSection } from './table';
import type { Column } from './table';
import { known, t } from './text';

const pace = { interval: 5_000, slowest: 60_000 };

/** What needs a person comes first. */
const fates: readonly Fate[] = ['LEFT', 'SKIPPED', 'KEPT', 'RELEASED', 'GONE', 'DELETED'];

const moods: Record<Fate, Mood> = {
  LEFT: 'stuck',
  SKIPPED: 'paused',
  KEPT: 'pending',
  RELEASED: 'done',
  GONE: 'done',
  DELETED: 'done',
};

/** What deletions did. */
export function ReceiptsPage({ query }: { query: Query }) {
  const filter = { page: 'receipts', query } as const;
  return (
    <ListOf<ReceiptView>
      page="receipts"
      query={query}
      title="receipts.title"
      intro="receipts.intro"
      none="receipts.none"
      hint="receipts.none.hint"
      asked={{ namespace: query.namespace ?? '', cluster: query.name ?? '' }}
      filters={
        <>
          <Filter {...filter} name="name" label={t('receipts.name')} />
          <Filter {...filter} name="namespace" label={t('fleet.namespace')} />
        </>
      }
      columns={columns}
      keyOf={(one) => one.flow}
    />
  );
}

function columns(now: number): Column<ReceiptView>[] {
  return [
    {
      title: t('receipts.name'),
      head: true,
      cell: (one) => (
        <>
          <a href={hrefOf({ page: 'receipt', flow: one.flow })}>
            {one.namespace}/{one.name}
          </a>
          {one.kind === 'delete' ? null : <span class="quiet small">{one.kind}</span>}
        </>
      ),
    },
    { title: t('receipts.result'), cell: (one) => <Result receipt={one} /> },
    { title: t('receipts.summary'), class: 'message', cell: (one) => one.summary },
    { title: t('receipts.mode'), cell: (one) => one.mode },
    { title: t('receipts.begun'), class: 'number', cell: (one) => <Ago at={one.startedAt} now={now} /> },
    { title: t('receipts.by'), cell: (one) => one.startedBy },
  ];
}

function Result({ receipt }: { receipt: ReceiptView }) {
  if (receipt.closedAt == null) return <Mark mood="active" text={t('receipts.open')} />;
  const result = receipt.result ?? '—';
  return <Mark mood={result === 'Aborted' ? 'ended' : 'done'} text={words(result)} />;
}

/** One receipt: each object with its fate, how long each phase took, who decided what. */
export function ReceiptPage({ flow }: { flow: string }) {
  const load = useMemo(() => reader<ReceiptDetails>(apiUrl('receipts', flow)), [flow]);
  const { data, error, confirmedAt, stream, reload } = usePolled(load, pace);
  const now = useNow();
  const name = data === undefined ? flow : `${data.namespace}/${data.name}`;
  return (
    <>
      <p class="crumbs">
        <a href={hrefOf({ page: 'receipts', query: {} })}>{t('receipts.title')}</a>
      </p>
      <div class="page-head">
        <Heading title={t('receipt.title', { name })} />
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Head receipt={data} now={now} />
          <Entries receipt={data} now={now} />
          <Phases receipt={data} />
          <Decided receipt={data} now={now} />
        </>
      )}
    </>
  );
}

function Head({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  const { startedAt, closedAt } = receipt;
  const took = (closedAt == null ? now : Date.parse(closedAt)) - Date.parse(startedAt);
  const facts: [string, string | null | undefined][] = [
    [t('receipts.mode'), receipt.mode],
    [t('receipts.by'), receipt.startedBy],
    [t('receipt.reason'), receipt.reason],
    [t('receipts.begun'), new Date(startedAt).toLocaleString(locale())],
    [t('receipt.took'), span(took)],
    [t('receipt.uid'), receipt.uid],
  ];
  return (
    <div class="card">
      <p class="row">
        <Result receipt={receipt} />
        <strong>{receipt.summary}</strong>
      </p>
      <dl>
        {facts
          .filter(([, value]) => value != null)
          .map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

function Entries({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  const sorted = useMemo(
    () => [...receipt.entries].sort((one, other) => fates.indexOf(one.fate) - fates.indexOf(other.fate)),
    [receipt],
  );
  return (
    <TableSection
      id="entries"
      title={t('receipt.entries')}
      none={t('receipt.entries.none')}
      rows={sorted}
      keyOf={(one, index) => `${one.what} ${index}`}
      columns={[
        { title: t('receipt.what'), head: true, class: 'wraps', cell: (one) => one.what },
        { title: t('receipt.fate'), cell: (one) => <Mark mood={moods[one.fate]} text={t(`fate.${one.fate}`)} /> },
        { title: t('receipt.why'), class: 'message', cell: (one) => one.why },
        { title: t('receipt.phase'), cell: (one) => one.phase },
        { title: t('receipt.at'), class: 'number', cell: (one) => <Ago at={one.at} now={now} /> },
      ]}
    />
  );
}

type PhaseOfReceipt = ReceiptDetails['phases'][number];

function Phases({ receipt }: { receipt: ReceiptDetails }) {
  const reasonOf = ({ reason, state }: PhaseOfReceipt) =>
    reason == null || reason.toUpperCase() === state ? null : words(reason);
  return (
    <TableSection
      id="phases"
      title={t('receipt.phases')}
      none={t('receipt.phases.none')}
      rows={receipt.phases}
      keyOf={(one, index) => `${one.phase} ${index}`}
      columns={[
        { title: t('receipt.phase'), head: true, cell: (one) => one.phase },
        { title: t('receipt.state'), cell: (one) => known('phase', one.state) },
        {
          title: t('receipt.took'),
          class: 'number',
          cell: (one) => (one.seconds == null ? t('receipts.open') : span(one.seconds * 1_000)),
        },
        { title: t('receipt.why'), class: 'message', cell: reasonOf },
      ]}
    />
  );
}

function Decided({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  return (
    <TableSection
      id="decided"
      title={t('trail.title')}
      none={t('receipt.decisions.none')}
      rows={receipt.decisions}
      keyOf={(one, index) => `${one.at} ${index}`}
      columns={decisionColumns(now)}
    />
  );
}
