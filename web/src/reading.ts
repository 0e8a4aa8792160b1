// What a flow says to people: the page shows what the server says, and decides nothing itself.
import type { Choice, FlowView, PhaseState, PhaseView } from './api';
import { words } from './format';

/** How something stands, as far as its look goes. */
export type Mood = 'pending' | 'active' | 'retrying' | 'stuck' | 'paused' | 'done' | 'ended';

const here: readonly PhaseState[] = ['WAITING', 'RETRYING', 'BLOCKED', 'PAUSED'];

/** The phase where the flow's token stands; of several, the worst. Only for flows of a list. */
export function currentPhase(flow: FlowView): PhaseView | undefined {
  return flow.state === 'RUNNING' ? flow.phases[0] : undefined;
}

export function progress(flow: FlowView): string {
  return `${flow.done} of ${flow.of}`;
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

export function phaseStateText(phase: PhaseView): string {
  const texts: Record<PhaseState, string> = {
    PENDING: 'Not reached',
    WAITING: 'Waiting',
    RETRYING: 'Retrying',
    BLOCKED: 'Blocked',
    PAUSED: 'Paused',
    DONE: 'Done',
    SKIPPED: 'Skipped',
    CANCELED: 'Left early',
  };
  const text = texts[phase.state];
  return phase.stuck && here.includes(phase.state) && phase.state !== 'BLOCKED' ? `Stuck, ${text.toLowerCase()}` : text;
}

export function reasonOf(phase: PhaseView): string {
  return phase.reason == null ? 'Entered' : words(phase.reason);
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
    case 'Deleting':
      return 'active';
    default:
      return 'pending';
  }
}

/** What each choice does, in the words of the operator's task. */
export const choiceTexts: Record<Choice, string> = {
  RETRY: 'Retry: start the phase anew',
  RETRY_FROM: 'Retry from an earlier phase',
  WAIT_MORE: 'Wait: ask again later',
  MARK_DONE: 'Mark as done: go on if a live check passes',
  SKIP: 'Skip: go on without it',
  PAUSE: 'Pause: stop looking until somebody resumes',
  RESUME: 'Resume',
  ABORT: 'Abort: end the flow, delete nothing',
};

/** How a flow that is over ended. */
export function flowEnd(flow: FlowView): string {
  if (flow.state === 'COMPLETED') return flow.result == null ? 'Completed' : words(flow.result);
  return flow.state === 'INTERRUPTED' ? 'Interrupted by a deletion' : 'Aborted';
}
