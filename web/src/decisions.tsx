import type { Choice, DecisionView } from './api';
import { Mark } from './mark';
import type { Mood } from './reading';
import { Ago } from './table';
import type { Column } from './table';
import { t } from './text';

const moods: Record<DecisionView['state'], Mood> = {
  OPEN: 'active',
  APPLIED: 'done',
  REFUSED: 'stuck',
  OVERTAKEN: 'ended',
};

/** What a trail and a receipt know of a decision. */
interface Decided {
  choice: Choice;
  phase?: string | null;
  from?: string | null;
  duration?: string | null;
  argument?: string | null;
  by: string;
  at: string;
  /** Why, as the trail calls it, and as a receipt does. */
  reason?: string | null;
  why?: string | null;
  state: DecisionView['state'];
  result?: string | null;
}

/** Who decided what, when and why, and what became of it. */
export function decisionColumns<T extends Decided>(now: number): Column<T>[] {
  return [
    { title: t('trail.when'), class: 'number', cell: (one) => <Ago at={one.at} now={now} /> },
    { title: t('trail.who'), cell: (one) => one.by },
    {
      title: t('trail.what'),
      cell: (one) => (
        <>
          {t(`choice.${one.choice}`)}
          <span class="quiet small">
            {[one.phase, one.from, one.duration, one.argument].filter((text) => text != null).join(', ')}
          </span>
        </>
      ),
    },
    { title: t('trail.why'), class: 'message', cell: (one) => one.reason ?? one.why },
    {
      title: t('trail.became'),
      cell: (one) => (
        <>
          <Mark mood={moods[one.state]} text={t(`trail.${one.state}`)} />
          <span class="quiet small">{one.result}</span>
        </>
      ),
    },
  ];
}
