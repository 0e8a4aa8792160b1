import { describe, expect, it } from 'vitest';
import type { RunView } from './api';
import { asOf, entered } from './history';
import { normsOf, paceOf } from './norms';
import { at, flow, noon, phase } from './samples';
import { barsOf, seconds } from './statistics';
import { roundUp } from './chart';

const run = (title: string, number: number, from: number, to: number | undefined, state: RunView['state']): RunView => ({
  phase: `Ensure${title}`,
  title,
  elementId: `phase_${title}`,
  run: `${title}:${number}`,
  state,
  enteredAt: at(from),
  leftAt: to === undefined ? null : at(to),
  attempts: number,
  failures: 0,
});

describe('the history of a flow', () => {
  const now = flow([phase('A', { state: 'DONE' }), phase('B', { state: 'BLOCKED' }), phase('C')]);
  const runs = [run('A', 1, -90, -80, 'DONE'), run('B', 1, -80, -50, 'CANCELED'), run('A', 2, -50, -40, 'DONE'), run('B', 2, -40, undefined, 'BLOCKED')];

  it('counts how often each phase was entered', () => {
    expect([...entered(runs)]).toEqual([['phase_A', 2], ['phase_B', 2]]);
  });

  it('shows the flow as it stood in each run', () => {
    const states = runs.map((_, step) => asOf(now, runs, step).phases.map(({ state }) => state));
    expect(states).toEqual([
      ['WAITING', 'PENDING', 'PENDING'],
      ['DONE', 'WAITING', 'PENDING'],
      ['WAITING', 'CANCELED', 'PENDING'],
      ['DONE', 'WAITING', 'PENDING'],
    ]);
  });

  it('is now where there is no such run', () => {
    expect(asOf(now, runs, 4)).toBe(now);
  });
});

describe('what is usual', () => {
  const statistics = (count: number) => ({
    since: at(-86_400),
    flows: [],
    retries: [],
    bucket: 'PT1H',
    phases: [{ kind: 'init', phase: 'EnsureA', title: 'A', elementId: 'phase_A', count, p50: 10, p95: 60, max: 99, attempts: 1, failures: 0, stuck: 0, running: 0 }],
  });

  it('is known from a few runs on', () => {
    expect(normsOf(statistics(4)).size).toBe(0);
    expect(normsOf(statistics(5)).get('EnsureA')).toEqual({ p50: 10_000, p95: 60_000 });
  });

  it.each([
    [-10, 'usual'],
    [-11, 'slow'],
    [-60, 'slow'],
    [-61, 'slowest'],
  ])('makes of a phase that stands since %d s a %s one', (since, pace) => {
    expect(paceOf(phase('A', { state: 'WAITING', since: at(since) }), normsOf(statistics(9)), noon)).toBe(pace);
  });

  it('has a bar for each part of the time, also for those without a failure', () => {
    const retries = [{ from: at(-2 * 3_600), phase: 'EnsureA', kind: 'init', code: 'X', count: 3 }];
    const bars = barsOf({ ...statistics(9), since: at(-4 * 3_600), retries }, noon);
    expect(bars.map(({ value }) => value)).toEqual([0, 0, 3, 0, 0]);
  });

  it('counts the tenths of short times', () => {
    expect([0.019, 5.25, 12.9, 90, undefined].map(seconds)).toEqual(['0s', '5.3s', '12s', '1m30s', '—']);
  });

  it('is drawn to a round number', () => {
    expect([0, 3, 5, 11, 37, 41, 99, 101].map(roundUp)).toEqual([4, 4, 5, 20, 40, 50, 100, 200]);
  });
});
