import { useMemo } from 'preact/hooks';
import type { EventView } from './api';
import { apiUrl, reader } from './http';
import { Mark } from './mark';
import { usePolled } from './poll';
import { Ago, DataTable } from './table';
import { t } from './text';

const slow = { interval: 10_000, slowest: 60_000 };

/** What Kubernetes tells about the cluster's objects, the latest first. */
export function ClusterEvents({ namespace, name, now }: { namespace: string; name: string; now: number }) {
  const load = useMemo(
    () => reader<{ items: EventView[] }>(apiUrl('clusters', namespace, name, 'events')),
    [namespace, name],
  );
  const { data, error } = usePolled(load, slow);
  return (
    <section aria-labelledby="events">
      <h2 id="events">{t('events.title')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data?.items.length === 0 ? <p class="quiet">{t('events.none')}</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <DataTable
          labelledby="events"
          rows={data.items}
          keyOf={(one, index) => `${one.at} ${one.object} ${one.reason} ${index}`}
          columns={[
            { title: t('trail.when'), class: 'number', cell: (one) => <Ago at={one.at} now={now} /> },
            {
              title: t('events.type'),
              cell: ({ type }) => <Mark mood={type === 'Warning' ? 'retrying' : 'done'} text={t(`events.${type}`)} />,
            },
            { title: t('conditions.reason'), cell: (one) => one.reason },
            { title: t('audit.object'), class: 'wraps', cell: (one) => one.object },
            { title: t('conditions.message'), class: 'message', cell: (one) => one.message },
            { title: t('events.count'), class: 'number', cell: (one) => one.count },
          ]}
        />
      )}
    </section>
  );
}
