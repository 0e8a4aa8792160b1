// What a flow says to people: the page shows what the server says, and decides nothing itself.
import type { Choice, FlowView, PhaseState, PhaseView } from './api';
import { span, until, words } from './format';
import { count, t } from './text';
import type { Key } from './text';

/** How something stands, as far as its look goes. */
export type Mood = 'pending' | 'active' | 'retrying' | 'stuck' | 'paused' | 'done' | 'ended';

const here: readonly PhaseState[] = ['WAITING', 'RETRYING', 'BLOCKED', 'PAUSED'];

/** The phase where the flow's token stands; of several, the worst. Only for flows of a list. */
export function currentPhase(flow: FlowView): PhaseView | undefined {
  return flow.state === 'RUNNING' ? flow.phases[0] : undefined;
}

export function phaseMood(phase: PhaseView): Mood {
  if (phase.state === 'BLOCKED' || (phase.stuck && here.includes(phase.state))) return 'stuck';
  const moods: Record<PhaseState, Mood> = {
    PENDING: 'pending',
    WAITING: 'active',
    RETRYING: 'retrying',
    BLOCKED: 'stuck',
    PAUSED: 'paused',
    DONE: 'done',
    SKIPPED: 'ended',
    CANCELED: 'ended',
  };
  return moods[phase.state];
}

/** Whether the token stands in this phase. */
export function standing(phase: PhaseView): boolean {
  return here.includes(phase.state);
}

export function phaseStateText(phase: PhaseView): string {
  const text = t(`phase.${phase.state}`);
  return phase.stuck && standing(phase) && phase.state !== 'BLOCKED'
    ? t('phase.stuck', { state: text.toLowerCase() })
    : text;
}

/** How long a phase took, or has been standing, in milliseconds; undefined if it was not reached. */
export function phaseTime(phase: PhaseView, now: number): number | undefined {
  if (phase.since == null) return undefined;
  return (phase.until == null ? now : Date.parse(phase.until)) - Date.parse(phase.since);
}

export function phaseTimes(phase: PhaseView, now: number): string {
  const time = phaseTime(phase, now);
  if (time === undefined) return '';
  return t(phase.until == null ? 'phase.for' : 'phase.took', { span: span(time), runs: count('runs', phase.attempt) });
}

export function nextCheck(phase: PhaseView, now: number): string {
  // It was entered a moment ago.
  if (phase.nextCheck == null && phase.attempt === 0 && phase.state === 'WAITING') return t('time.now');
  return phase.nextCheck == null ? t('facts.next.operator') : until(phase.nextCheck, now);
}

/** The worst of a flow's phases, as far as its look goes. */
export function flowMood(flow: FlowView): Mood {
  if (flow.state === 'ABORTED') return 'stuck';
  if (flow.state !== 'RUNNING') return flow.state === 'COMPLETED' ? 'done' : 'ended';
  const moods = flow.phases.filter(standing).map(phaseMood);
  return (['stuck', 'paused', 'retrying'] as const).find((mood) => moods.includes(mood)) ?? 'active';
}

export function reasonOf(phase: PhaseView): string {
  return phase.reason == null ? t('phase.entered') : words(phase.reason);
}

export function clusterMood(phase: string): Mood {
  switch (phase) {
    case 'Ready':
    case 'Planned':
      return 'done';
    case 'Stuck':
    case 'Failed':
      return 'stuck';
    case 'Paused':
      return 'paused';
    case 'Initializing':
    case 'Importing':
    case 'Deleting':
      return 'active';
    default:
      return 'pending';
  }
}

/** What a choice is about: its label and an example. Choices that are not here are about nothing but the phase. */
export const choiceArguments: Partial<Record<Choice, { label: Key; example: string }>> = {
  SUPPLY_CREDENTIALS: { label: 'argument.SUPPLY_CREDENTIALS', example: 'c1-access' },
  ACCEPT_CA: { label: 'argument.ACCEPT_CA', example: 'AB:CD:…' },
  REPLACE_IDENTITY: { label: 'argument.REPLACE_IDENTITY', example: '6f0c0b5e-ec8b-…' },
  COLLECT_ORPHANS: { label: 'argument.COLLECT_ORPHANS', example: 'cc-x1,cc-x2' },
  KEEP: { label: 'argument.KEEP', example: 'cc-c1' },
  FORCE: { label: 'argument.FORCE', example: 'c1' },
};

const final: readonly Choice[] = [
  'SKIP',
  'ABORT',
  'ACCEPT_CA',
  'REPLACE_IDENTITY',
  'TAKE_OVER_MARK',
  'RESET_IMPORT',
  'SKIP_REMOTE',
  'FORCE',
];

/** Whether the server wants a reason: for what goes on against the phase, or cannot be taken back. */
export function needsReason(choice: Choice, override: boolean): boolean {
  return final.includes(choice) || (choice === 'MARK_DONE' && override);
}

/** What cannot be taken back looks like it. */
export function isFinal(choice: Choice): boolean {
  return final.includes(choice);
}

/** The flows that nobody in the list has called, each with those that it called. */
export function nested(flows: FlowView[]): { flow: FlowView; called: FlowView[] }[] {
  const ids = new Set(flows.map((flow) => flow.id));
  return flows
    .filter((flow) => flow.parent == null || !ids.has(flow.parent))
    .map((flow) => ({ flow, called: flows.filter((one) => one.parent === flow.id) }));
}

/** How a flow that is over ended. */
export function flowEnd(flow: FlowView): string {
  if (flow.state === 'COMPLETED') return flow.result == null ? t('flow.Completed') : words(flow.result);
  return t(flow.state === 'INTERRUPTED' ? 'flow.interrupted' : 'flow.aborted');
}
