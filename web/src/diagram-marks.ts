// What a flow looks like on its diagram, in values: the viewer only draws it.
import type { FlowView, PhaseView } from './api';
import { span } from './format';
import { paceOf } from './norms';
import type { Norms } from './norms';
import { flowEnd, flowMood, nextCheck, phaseMood, phaseStateText, phaseTime, standing } from './reading';
import type { Mood } from './reading';
import { count, t } from './text';

/** How the phases stand, how long they took, and how that compares with the fleet. */
export type Colour = 'state' | 'time' | 'fleet';

export interface ElementMark {
  /** The element's id, or the process that a call activity calls. */
  element: { id: string } | { calls: string };
  mood: Mood;
  /** What it says beside its sign; empty for what was not reached. */
  badge: string;
  /** Whether the token stands here. */
  token: boolean;
  /** From 0 to 4: how much of the longest phase's time, or how far from what is usual; undefined unless coloured so. */
  heat: number | undefined;
  /** Whether somebody may point at it. */
  pick: boolean;
}

/** What the marks say beside how the flow stands. */
export interface Look {
  now: number;
  colour: Colour;
  /** How often each phase was entered, by its element. */
  entered?: Map<string, number> | undefined;
  norms?: Norms | undefined;
  /** Elements that somebody may point at. */
  picks?: Set<string> | undefined;
}

const hottest = 4;

/** The marks of all phases of a flow, and of the flows that it called. */
export function marksOf(flow: FlowView, called: FlowView[], look: Look): ElementMark[] {
  const { now, colour, picks } = look;
  const longest = Math.max(1, ...flow.phases.map((phase) => phaseTime(phase, now) ?? 0));
  return [
    ...flow.phases.map((phase) => ({
      element: { id: phase.elementId },
      mood: phaseMood(phase),
      badge: colour === 'state' ? badgeOf(phase, look) : timesOf(phase, look),
      token: flow.state === 'RUNNING' && standing(phase),
      heat: heatOf(phase, look, longest),
      pick: picks?.has(phase.elementId) === true,
    })),
    ...called.map((one) => ({
      element: { calls: processOf(one.kind) },
      mood: flowMood(one),
      badge: one.state === 'RUNNING' ? t('fleet.progress', { kind: one.kind, done: one.done, of: one.of }) : flowEnd(one),
      token: one.state === 'RUNNING',
      heat: undefined,
      pick: false,
    })),
  ];
}

function heatOf(phase: PhaseView, { now, colour, norms }: Look, longest: number): number | undefined {
  const time = phaseTime(phase, now);
  if (colour === 'state' || time === undefined) return undefined;
  if (colour === 'time') return Math.round((hottest * time) / longest);
  const pace = norms === undefined ? undefined : paceOf(phase, norms, now);
  return pace === undefined ? undefined : { usual: 0, slow: 2, slowest: 4 }[pace];
}

function badgeOf(phase: PhaseView, { now, entered }: Look): string {
  if (phase.state === 'PENDING') return '';
  const times = entered?.get(phase.elementId) ?? 1;
  const again = times > 1 ? [t('diagram.times', { n: times })] : [];
  if (standing(phase)) {
    const next = phase.state === 'PAUSED' || phase.nextCheck == null ? [] : [t('diagram.next', { when: nextCheck(phase, now) })];
    return [phaseStateText(phase), ...again, count('runs', phase.attempt), ...next].join(' · ');
  }
  return [phase.state === 'DONE' ? timeOf(phase, now) : phaseStateText(phase), ...again].join(' · ');
}

/** How long it took, or has been standing; and how often it ran, if more than once. */
function timeOf(phase: PhaseView, now: number): string {
  const time = phaseTime(phase, now);
  if (time === undefined) return '';
  return phase.attempt > 1 ? `${span(time)} · ${count('runs', phase.attempt)}` : span(time);
}

/** How long it took, and what is usual in the fleet where that is asked for. */
function timesOf(phase: PhaseView, { now, colour, norms }: Look): string {
  const own = timeOf(phase, now);
  const norm = norms?.get(phase.name);
  if (colour !== 'fleet' || own === '' || norm === undefined) return own;
  return `${own} · ${t('norms.usual', { span: span(norm.p50) })}`;
}

/** The process that runs a kind of flow. */
function processOf(kind: string): string {
  return kind.startsWith('work-item-') ? kind : `cluster-${kind}`;
}
