import { useEffect, useMemo } from 'preact/hooks';
import type { DecisionView } from './api';
import { decisionColumns } from './decisions';
import { apiUrl, reader } from './http';
import { usePolled } from './poll';
import { DataTable } from './table';
import { t } from './text';

const slow = { interval: 10_000, slowest: 60_000 };

interface TrailProps {
  cluster: { namespace: string; name: string };
  /** How much was decided here: more of it is read at once. */
  changes: number;
  now: number;
}

/** Who decided what about a cluster, when and why, and what became of it. */
export function Trail({ cluster, changes, now }: TrailProps) {
  const url = apiUrl('clusters', cluster.namespace, cluster.name, 'decisions');
  const load = useMemo(() => reader<{ items: DecisionView[] }>(url), [url]);
  const { data, error, reload } = usePolled(load, slow);
  useEffect(() => {
    if (changes > 0) reload();
  }, [changes]);
  return (
    <section aria-labelledby="trail">
      <h2 id="trail">{t('trail.title')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data?.items.length === 0 ? <p class="quiet">{t('trail.none')}</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <DataTable labelledby="trail" columns={decisionColumns(now)} rows={data.items} keyOf={(one) => one.id} />
      )}
    </section>
  );
}
