import type { ConditionView } from './api';
import { age } from './format';
import { Mark } from './mark';
import type { Mood } from './reading';
import { TableSection } from './table';
import { t } from './text';

/** Of these, true is what nobody wants. */
const bad: readonly string[] = ['Stuck', 'ManualInterventionRequired', 'Failed', 'Paused'];

function conditionMood({ type, status }: ConditionView): Mood {
  if (status === 'Unknown') return 'pending';
  const fine = bad.includes(type) ? status === 'False' : status === 'True';
  if (fine) return 'done';
  return bad.includes(type) ? 'stuck' : 'active';
}

/** What holds of an object and what does not, as its status says. */
export function Conditions({ conditions, now }: { conditions: ConditionView[]; now: number }) {
  return (
    <TableSection
      id="conditions"
      title={t('conditions.title')}
      none={t('conditions.none')}
      rows={conditions}
      keyOf={(one) => one.type}
      columns={[
        { title: t('conditions.type'), head: true, cell: (one) => one.type },
        { title: t('conditions.status'), cell: (one) => <Mark mood={conditionMood(one)} text={one.status} /> },
        { title: t('conditions.reason'), cell: (one) => one.reason },
        { title: t('conditions.message'), class: 'message', cell: (one) => one.message },
        { title: t('conditions.since'), class: 'number', cell: (one) => age(one.lastTransitionTime, now) },
      ]}
    />
  );
}
