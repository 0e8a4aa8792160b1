import { useMemo, useState } from 'preact/hooks';
import { ApiError, apiUrl, reader } from './api';
import type { ClusterDetails, ConditionView } from './api';
import { DeleteButton } from './deletion';
import { Diagnose } from './diagnosis';
import { Flow, Notice } from './flow';
import { age } from './format';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import { clusterMood, nested } from './reading';
import type { Mood } from './reading';
import { hrefOf, noFilters } from './router';
import { Connection, FirstLook, Heading, Scroll } from './shell';
import { known, t } from './text';
import { Trail } from './trail';

/** One cluster: where it stands, what to do, and what happened. */
export function ClusterPage({ namespace, name }: { namespace: string; name: string }) {
  const load = useMemo(() => reader<ClusterDetails>(apiUrl('clusters', namespace, name)), [namespace, name]);
  const { data, error, confirmedAt, reload } = usePolled(load);
  const [changes, setChanges] = useState(0);
  const now = useNow();
  const changed = () => {
    setChanges(changes + 1);
    reload();
  };
  if (error instanceof ApiError && error.status === 404) return <Gone namespace={namespace} name={name} />;
  return (
    <>
      <p class="crumbs">
        <a href={hrefOf({ page: 'fleet', filters: noFilters })}>{t('cluster.back')}</a>
      </p>
      <div class="page-head">
        <Heading title={`${namespace}/${name}`}>
          <span class="quiet">{namespace}/</span>
          {name}
        </Heading>
        <Connection error={error} confirmedAt={confirmedAt} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Summary details={data} now={now} onChanged={changed} />
          {data.warning == null ? null : <Notice text={data.warning} />}
          <Flows details={data} now={now} onChanged={changed} />
          <Conditions conditions={data.conditions ?? []} now={now} />
          <Diagnose cluster={data.cluster} now={now} />
          <Trail cluster={data.cluster} changes={changes} now={now} />
        </>
      )}
    </>
  );
}

/** Nobody knows the name any more: what was deleted has a receipt. */
function Gone({ namespace, name }: { namespace: string; name: string }) {
  return (
    <div class="empty">
      <Heading title={t('gone.title', { name: `${namespace}/${name}` })} />
      <p>
        <a href={hrefOf({ page: 'receipts', namespace, name })}>{t('gone.receipts')}</a>
      </p>
      <p>
        <a href={hrefOf({ page: 'fleet', filters: noFilters })}>{t('cluster.back')}</a>
      </p>
    </div>
  );
}

function Summary({ details, now, onChanged }: { details: ClusterDetails; now: number; onChanged: () => void }) {
  const { cluster, flows, receipt } = details;
  const { phase, origin, version, created } = cluster;
  const deleting = flows.some((flow) => flow.kind === 'delete' && flow.state === 'RUNNING');
  return (
    <div class="row summary">
      <Mark mood={clusterMood(phase)} text={known('state', phase)} />
      {origin === undefined ? null : <span class="quiet">{t(`cluster.origin.${origin}`)}</span>}
      {version == null ? null : <span class="quiet">{t('cluster.version', { version })}</span>}
      {created == null ? null : <span class="quiet">{t('cluster.created', { age: age(created, now) })}</span>}
      {receipt == null ? null : <a href={hrefOf({ page: 'receipt', flow: receipt.flow })}>{t('receipts.latest')}</a>}
      {deleting ? null : <DeleteButton cluster={cluster} onStarted={onChanged} />}
    </div>
  );
}

function Flows({ details, now, onChanged }: { details: ClusterDetails; now: number; onChanged: () => void }) {
  const { cluster, flows } = details;
  const all = nested(flows);
  const leading = all.find(({ flow }) => flow.state === 'RUNNING') ?? all[0];
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">{t('cluster.flows')}</h2>
      {all.length === 0 ? <p class="quiet">{t('cluster.noflow')}</p> : null}
      {all.map(({ flow, called }) => (
        <Flow
          key={flow.id}
          flow={flow}
          called={called}
          now={now}
          cluster={cluster}
          first={flow === leading?.flow}
          onChanged={onChanged}
        />
      ))}
    </section>
  );
}

/** Of these, true is what nobody wants. */
const bad: readonly string[] = ['Stuck', 'ManualInterventionRequired', 'Failed', 'Paused'];

function conditionMood({ type, status }: ConditionView): Mood {
  if (status === 'Unknown') return 'pending';
  const fine = bad.includes(type) ? status === 'False' : status === 'True';
  if (fine) return 'done';
  return bad.includes(type) ? 'stuck' : 'active';
}

function Conditions({ conditions, now }: { conditions: ConditionView[]; now: number }) {
  return (
    <section aria-labelledby="conditions">
      <h2 id="conditions">{t('conditions.title')}</h2>
      {conditions.length === 0 ? (
        <p class="quiet">{t('conditions.none')}</p>
      ) : (
        <Scroll labelledby="conditions">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('conditions.type')}</th>
                <th scope="col">{t('conditions.status')}</th>
                <th scope="col">{t('conditions.reason')}</th>
                <th scope="col">{t('conditions.message')}</th>
                <th scope="col">{t('conditions.since')}</th>
              </tr>
            </thead>
            <tbody>
              {conditions.map((condition) => (
                <tr key={condition.type}>
                  <th scope="row">{condition.type}</th>
                  <td>
                    <Mark mood={conditionMood(condition)} text={condition.status} />
                  </td>
                  <td>{condition.reason}</td>
                  <td class="message">{condition.message}</td>
                  <td class="number">{age(condition.lastTransitionTime, now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
