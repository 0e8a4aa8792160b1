import { useMemo } from 'preact/hooks';
import { apiUrl, reader } from './api';
import type { ClusterView, DecisionView } from './api';
import { age } from './format';
import { Mark } from './mark';
import { usePolled } from './poll';
import type { Mood } from './reading';
import { t } from './text';

const moods: Record<DecisionView['state'], Mood> = {
  OPEN: 'active',
  APPLIED: 'done',
  REFUSED: 'stuck',
  OVERTAKEN: 'ended',
};

const slow = { interval: 10_000, slowest: 60_000 };

/** Who decided what about the cluster, when and why, and what became of it. */
export function Trail({ cluster, now }: { cluster: ClusterView; now: number }) {
  const { namespace, name } = cluster;
  const load = useMemo(
    () => reader<{ items: DecisionView[] }>(apiUrl('clusters', namespace, name, 'decisions')),
    [namespace, name],
  );
  const { data, error } = usePolled(load, slow);
  const items = data?.items ?? [];
  return (
    <section aria-labelledby="trail">
      <h2 id="trail">{t('trail.title')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data !== undefined && items.length === 0 ? <p class="quiet">{t('trail.none')}</p> : null}
      {items.length === 0 ? null : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('trail.when')}</th>
                <th scope="col">{t('trail.who')}</th>
                <th scope="col">{t('trail.what')}</th>
                <th scope="col">{t('trail.why')}</th>
                <th scope="col">{t('trail.became')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((one) => (
                <tr key={one.id}>
                  <td class="number">
                    <time dateTime={one.at} title={one.at}>
                      {t('time.ago', { span: age(one.at, now) })}
                    </time>
                  </td>
                  <td>{one.by}</td>
                  <td>
                    {t(`choice.${one.choice}`)}
                    <span class="quiet small">
                      {[one.phase, one.from, one.duration, one.argument].filter((text) => text != null).join(', ')}
                    </span>
                  </td>
                  <td class="message">{one.reason}</td>
                  <td>
                    <Mark mood={moods[one.state]} text={t(`trail.${one.state}`)} />
                    <span class="quiet small">{one.result}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
