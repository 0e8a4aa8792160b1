import type { RunView } from './api';
import { Bars } from './chart';
import { locale, span, words } from './format';
import { Mark } from './mark';
import { DataTable } from './table';
import { t } from './text';

/** All runs of a flow's phases, with how often each tried; repeated ones stand out by their number. */
export function Runs({ runs, kind, now }: { runs: RunView[]; kind: string; now: number }) {
  const id = `runs-${kind}`;
  const numbers = numbered(runs);
  const timeOf = (run: RunView) => new Date(run.enteredAt).toLocaleTimeString(locale());
  return (
    <details class="history">
      <summary id={id}>{t('history.title', { n: runs.length })}</summary>
      <Bars
        title={t('history.attempts')}
        value={t('history.tries')}
        bad={t('history.inarow')}
        bars={runs.map((run, index) => ({
          title: `${run.title}${numberText(numbers[index] ?? 1)}, ${timeOf(run)}`,
          short: run.title,
          value: run.attempts,
          bad: Math.min(run.failures, run.attempts),
        }))}
      />
      <DataTable
        labelledby={id}
        rows={runs.map((run, index) => ({ ...run, number: numbers[index] ?? 1 }))}
        keyOf={(one) => one.run}
        columns={[
          {
            title: t('history.phase'),
            head: true,
            cell: (one) => (
              <>
                {one.title}
                {one.number === 1 ? null : <span class="quiet">{numberText(one.number)}</span>}
              </>
            ),
          },
          { title: t('history.state'), cell: (one) => <RunState run={one} /> },
          { title: t('history.entered'), class: 'number', cell: timeOf },
          {
            title: t('receipt.took'),
            class: 'number',
            cell: (one) => span((one.leftAt == null ? now : Date.parse(one.leftAt)) - Date.parse(one.enteredAt)),
          },
          { title: t('history.tries'), class: 'number', cell: (one) => one.attempts },
          { title: t('history.inarow'), class: 'number', cell: (one) => one.failures },
          {
            title: t('conditions.reason'),
            class: 'message',
            cell: (one) => [one.reason == null ? '' : words(one.reason), one.message ?? ''].filter((text) => text !== '').join(': '),
          },
        ]}
      />
    </details>
  );
}

function RunState({ run }: { run: RunView }) {
  if (run.leftAt == null) return <Mark mood="active" text={t(`phase.${run.state}`)} />;
  return <Mark mood={run.state === 'DONE' ? 'done' : 'ended'} text={t(`phase.${run.state}`)} />;
}

/** Which run of its phase each is, from 1. */
function numbered(runs: RunView[]): number[] {
  const seen = new Map<string, number>();
  return runs.map(({ phase }) => {
    const number = (seen.get(phase) ?? 0) + 1;
    seen.set(phase, number);
    return number;
  });
}

function numberText(number: number): string {
  return number === 1 ? '' : ` (${t('history.number', { n: number })})`;
}

/** How often a phase was entered, for the list of phases. */
export function timesEntered(times: number | undefined): string {
  return times === undefined || times < 2 ? '' : `, ${t('diagram.entered', { n: times })}`;
}

