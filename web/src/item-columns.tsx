import type { WorkItemView } from './api';
import { age } from './format';
import { Mark } from './mark';
import { currentPhase, reasonOf, standing } from './reading';
import type { Mood } from './reading';
import { clusterHref, hrefOf } from './router';
import type { Column } from './table';
import { known, t } from './text';

/** How a work item stands, with a sign for its worst phase. */
export function ItemState({ item }: { item: WorkItemView }) {
  const stuck = item.flows.some((flow) => flow.state === 'RUNNING' && flow.phases.some((one) => one.stuck && standing(one)));
  const moods: Partial<Record<string, Mood>> = { Installed: 'done', Failed: 'stuck', Installing: 'active', Deleting: 'active' };
  const mood = stuck ? 'stuck' : (moods[item.phase] ?? 'pending');
  const state = known('item', item.phase);
  return <Mark mood={mood} text={stuck ? t('phase.stuck', { state: state.toLowerCase() }) : state} />;
}

/** Work items in a table; those of one cluster without its name. */
export function itemColumns(now: number, ofOneCluster = false): Column<WorkItemView>[] {
  const where: Column<WorkItemView> = {
    title: t('fleet.cluster'),
    cell: ({ namespace, cluster }) =>
      cluster === '' ? null : <a href={clusterHref({ namespace, name: cluster })}>{cluster}</a>,
  };
  return [
    {
      title: t('items.name'),
      head: true,
      cell: ({ namespace, name, chart, release }) => (
        <>
          <a href={hrefOf({ page: 'work-item', namespace, name })}>
            {ofOneCluster ? null : <span class="quiet">{namespace}/</span>}
            {name}
          </a>
          <span class="quiet small">
            {chart == null ? t('items.manifests') : [chart, release?.version].filter((text) => text != null).join(' ')}
          </span>
        </>
      ),
    },
    ...(ofOneCluster ? [] : [where]),
    { title: t('fleet.state'), cell: (item) => <ItemState item={item} /> },
    { title: t('fleet.waiting'), cell: waitingOf },
    { title: t('items.age'), class: 'number', cell: (item) => age(item.createdAt, now) },
  ];
}

function waitingOf({ flows }: WorkItemView) {
  const running = flows.find((flow) => flow.state === 'RUNNING');
  const phase = running === undefined ? undefined : currentPhase(running);
  if (phase === undefined) return null;
  return (
    <>
      {phase.title}: <strong>{reasonOf(phase)}</strong>
      <span class="small message">{phase.message}</span>
    </>
  );
}
