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
    case 'Importing':
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
  SUPPLY_CREDENTIALS: 'Supply credentials: use another kubeconfig',
  ACCEPT_CA: 'Accept the certificate with a fingerprint',
  REPLACE_IDENTITY: 'Replace the identity: it is another cluster now',
  TAKE_OVER_MARK: 'Take over the mark of a registration that is gone',
  RESET_IMPORT: 'Reset the import: begin anew, touch no machine',
  COLLECT_ORPHANS: 'Collect orphans: delete these credentials',
  KEEP: 'Keep one credential',
  SKIP_REMOTE: 'Skip the workload cluster: what is ours there stays behind',
  FORCE: 'Force: remove finalizers and records',
  UNPAUSE: 'Unpause the cluster and go on',
};

/** What a choice is about: its label and an example. Choices that are not here are about nothing but the phase. */
export const choiceArguments: Partial<Record<Choice, { label: string; example: string }>> = {
  SUPPLY_CREDENTIALS: { label: 'Secret with the kubeconfig', example: 'c1-access' },
  ACCEPT_CA: { label: 'SHA-256 fingerprint that you have checked', example: 'AB:CD:…' },
  REPLACE_IDENTITY: { label: 'New identity, as the phase shows it', example: '6f0c0b5e-ec8b-…' },
  COLLECT_ORPHANS: { label: 'Credentials to delete, separated by commas', example: 'cc-x1,cc-x2' },
  KEEP: { label: 'Credential to keep', example: 'cc-c1' },
  FORCE: { label: 'Name of what is deleted, typed out', example: 'c1' },
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

/** The flows that nobody in the list has called, each with those that it called. */
export function nested(flows: FlowView[]): { flow: FlowView; called: FlowView[] }[] {
  const ids = new Set(flows.map((flow) => flow.id));
  return flows
    .filter((flow) => flow.parent == null || !ids.has(flow.parent))
    .map((flow) => ({ flow, called: flows.filter((one) => one.parent === flow.id) }));
}

/** How a flow that is over ended. */
export function flowEnd(flow: FlowView): string {
  if (flow.state === 'COMPLETED') return flow.result == null ? 'Completed' : words(flow.result);
  return flow.state === 'INTERRUPTED' ? 'Interrupted by a deletion' : 'Aborted';
}
