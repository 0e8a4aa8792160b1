import { useEffect, useMemo } from 'preact/hooks';
import { apiUrl, reader } from './api';
import type { ClusterView, DecisionView } from './api';
import { age } from './format';
import { Mark } from './mark';
import { usePolled } from './poll';
import type { Mood } from './reading';
import { Scroll } from './shell';
import { t } from './text';

const moods: Record<DecisionView['state'], Mood> = {
  OPEN: 'active',
  APPLIED: 'done',
  REFUSED: 'stuck',
  OVERTAKEN: 'ended',
};

const slow = { interval: 10_000, slowest: 60_000 };

interface TrailProps {
  cluster: ClusterView;
  /** How much was decided here: more of it is read at once. */
  changes: number;
  now: number;
}

/** Who decided what about the cluster, when and why, and what became of it. */
export function Trail({ cluster, changes, now }: TrailProps) {
  const { namespace, name } = cluster;
  const load = useMemo(
    () => reader<{ items: DecisionView[] }>(apiUrl('clusters', namespace, name, 'decisions')),
    [namespace, name],
  );
  const { data, error, reload } = usePolled(load, slow);
  useEffect(() => {
    if (changes > 0) reload();
  }, [changes]);
  const items = data?.items ?? [];
  return (
    <section aria-labelledby="trail">
      <h2 id="trail">{t('trail.title')}</h2>
      {data === undefined ? <p class="quiet">{error === undefined ? t('load.slow') : error.message}</p> : null}
      {data !== undefined && items.length === 0 ? <p class="quiet">{t('trail.none')}</p> : null}
      {items.length === 0 ? null : (
        <Scroll labelledby="trail">
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
        </Scroll>
      )}
    </section>
  );
}
