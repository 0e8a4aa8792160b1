// What a flow looks like on its diagram, in values: the viewer only draws it.
import type { FlowView, PhaseView } from './api';
import { span } from './format';
import { flowEnd, flowMood, nextCheck, phaseMood, phaseStateText, phaseTime, standing } from './reading';
import type { Mood } from './reading';
import { count, t } from './text';

export type Colour = 'state' | 'time';

export interface ElementMark {
  /** The element's id, or the process that a call activity calls. */
  element: { id: string } | { calls: string };
  mood: Mood;
  /** What it says beside its sign; empty for what was not reached. */
  badge: string;
  /** Whether the token stands here. */
  token: boolean;
  /** From 0 to 4: how much of the longest phase's time; undefined unless coloured by time. */
  heat: number | undefined;
}

const hottest = 4;

/** The marks of all phases of a flow, and of the flows that it called. */
export function marksOf(flow: FlowView, called: FlowView[], now: number, colour: Colour): ElementMark[] {
  const longest = Math.max(1, ...flow.phases.map((phase) => phaseTime(phase, now) ?? 0));
  const heat = (phase: PhaseView) => {
    const time = phaseTime(phase, now);
    return colour === 'time' && time !== undefined ? Math.round((hottest * time) / longest) : undefined;
  };
  return [
    ...flow.phases.map((phase) => ({
      element: { id: phase.elementId },
      mood: phaseMood(phase),
      badge: colour === 'time' ? timeOf(phase, now) : badgeOf(phase, now),
      token: flow.state === 'RUNNING' && standing(phase),
      heat: heat(phase),
    })),
    ...called.map((one) => ({
      element: { calls: processOf(one.kind) },
      mood: flowMood(one),
      badge: one.state === 'RUNNING' ? t('fleet.progress', { kind: one.kind, done: one.done, of: one.of }) : flowEnd(one),
      token: one.state === 'RUNNING',
      heat: undefined,
    })),
  ];
}

function badgeOf(phase: PhaseView, now: number): string {
  if (phase.state === 'PENDING') return '';
  if (standing(phase)) {
    const next = phase.state === 'PAUSED' || phase.nextCheck == null ? [] : [t('diagram.next', { when: nextCheck(phase, now) })];
    return [phaseStateText(phase), count('runs', phase.attempt), ...next].join(' · ');
  }
  return phase.state === 'DONE' ? timeOf(phase, now) : phaseStateText(phase);
}

/** How long it took, or has been standing; and how often it ran, if more than once. */
function timeOf(phase: PhaseView, now: number): string {
  const time = phaseTime(phase, now);
  if (time === undefined) return '';
  return phase.attempt > 1 ? `${span(time)} · ${count('runs', phase.attempt)}` : span(time);
}

/** The process that runs a kind of flow. */
function processOf(kind: string): string {
  return kind.startsWith('work-item-') ? kind : `cluster-${kind}`;
}
