import { useMemo } from 'preact/hooks';
import type { AuditView } from './api';
import { Choose, Filter, ListOf } from './list-page';
import { Mark } from './mark';
import type { Mood } from './reading';
import { clusterHref, hrefOf } from './router';
import type { Query } from './router';
import { Ago } from './table';
import type { Column } from './table';
import { known, t } from './text';

const actions = [
  'START',
  'END',
  'DECIDE',
  'CREATE',
  'DELETE',
  'CREDENTIALS',
  'ANNOTATE',
  'SIGN_IN',
  'SIGN_OUT',
  'REFUSAL',
] as const;

const moods: Record<string, Mood> = { OK: 'done', RECORDED: 'done', REFUSED: 'stuck', OVERTAKEN: 'ended' };

/** Who did what, by whatever way. */
export function AuditPage({ query }: { query: Query }) {
  const options = useMemo<[string, string][]>(
    () => [['', t('audit.action.all')], ...actions.map((one): [string, string] => [one, t(`audit.action.${one}`)])],
    [],
  );
  const filter = { page: 'audit', query } as const;
  return (
    <ListOf<AuditView>
      page="audit"
      query={query}
      title="audit.title"
      intro="audit.intro"
      none="audit.none"
      hint="audit.none.hint"
      asked={{ ...query, since: dayOf(query.since, 0), until: dayOf(query.until, 1) }}
      filters={
        <>
          <Filter {...filter} name="by" label={t('audit.by')} />
          <Choose {...filter} name="action" label={t('audit.action')} options={options} />
          <Filter {...filter} name="namespace" label={t('fleet.namespace')} />
          <Filter {...filter} name="cluster" label={t('receipts.name')} />
          <Filter {...filter} name="since" label={t('audit.since')} type="date" />
          <Filter {...filter} name="until" label={t('audit.until')} type="date" />
        </>
      }
      columns={auditColumns}
      keyOf={(one) => one.id}
    />
  );
}

/** The instant at which a day of the person's calendar begins, so many days later. */
function dayOf(day: string | undefined, later: number): string {
  const [year, month, date] = (day ?? '').split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return '';
  const begin = new Date(year, month - 1, date + later);
  return Number.isNaN(begin.getTime()) ? '' : begin.toISOString();
}

export function auditColumns(now: number): Column<AuditView>[] {
  return [
    { title: t('trail.when'), class: 'number', cell: (one) => <Ago at={one.at} now={now} /> },
    {
      title: t('trail.who'),
      cell: (one) => (
        <>
          {one.by}
          <span class="quiet small">{[known('via', one.via), one.address].filter((text) => text != null).join(', ')}</span>
        </>
      ),
    },
    {
      title: t('trail.what'),
      cell: (one) => (
        <>
          {known('audit.action', one.action)}
          <span class="quiet small">
            {[one.what == null ? undefined : known('choice', one.what), one.phase].filter((text) => text != null).join(', ')}
          </span>
        </>
      ),
    },
    { title: t('audit.object'), class: 'wraps', cell: objectOf },
    { title: t('trail.why'), class: 'message', cell: (one) => one.reason },
    {
      title: t('trail.became'),
      cell: (one) => (
        <>
          <Mark mood={moods[one.result] ?? 'pending'} text={known('audit.result', one.result)} />
          <span class="quiet small message">{one.message}</span>
        </>
      ),
    },
  ];
}

function objectOf({ object, namespace, name }: AuditView) {
  if (object == null || namespace == null || name == null) return object;
  const subject = { namespace, name };
  const href = object.startsWith('WorkItem') ? hrefOf({ page: 'work-item', ...subject }) : clusterHref(subject);
  return <a href={href}>{object}</a>;
}
