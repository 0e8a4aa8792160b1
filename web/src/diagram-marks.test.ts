import { describe, expect, it } from 'vitest';
import { marksOf } from './diagram-marks';
import { at, flow, noon, phase } from './samples';

describe('the marks on a diagram', () => {
  const done = phase('Certificates', { state: 'DONE', attempt: 3, since: at(-100), until: at(-60) });
  const here = phase('Endpoint', { state: 'WAITING', stuck: true, attempt: 7, since: at(-60), nextCheck: at(9) });
  const later = phase('Healthy');

  it('say how each phase stands, how often it ran and when it looks again', () => {
    const marks = marksOf(flow([done, here, later]), [], { now: noon, colour: 'state' });
    expect(marks).toEqual([
      { element: { id: 'phase_Certificates' }, mood: 'done', badge: '40s · 3 checks', token: false, heat: undefined, pick: false },
      { element: { id: 'phase_Endpoint' }, mood: 'stuck', badge: 'Stuck, waiting · 7 checks · next in 9s', token: true, heat: undefined, pick: false },
      { element: { id: 'phase_Healthy' }, mood: 'pending', badge: '', token: false, heat: undefined, pick: false },
    ]);
  });

  it('put no token into a flow that is over', () => {
    const marks = marksOf(flow([here], { state: 'ABORTED' }), [], { now: noon, colour: 'state' });
    expect(marks[0]?.token).toBe(false);
  });

  it('colour by time, the longest phase most', () => {
    const marks = marksOf(flow([done, here, later]), [], { now: noon, colour: 'time' });
    expect(marks.map((mark) => mark.heat)).toEqual([3, 4, undefined]);
    expect(marks.map((mark) => mark.badge)).toEqual(['40s · 3 checks', '1m · 7 checks', '']);
  });

  it('show a called flow on the activity that calls it', () => {
    const imported = flow([here], { kind: 'import', parent: 'f-1' });
    const mark = marksOf(flow([done]), [imported], { now: noon, colour: 'state' })[1];
    expect(mark).toMatchObject({ element: { calls: 'cluster-import' }, mood: 'stuck', badge: 'import, 0 of 1', token: true });
  });

  it('say how a called flow ended', () => {
    const imported = flow([], { kind: 'import', parent: 'f-1', state: 'COMPLETED', result: 'Imported' });
    expect(marksOf(flow([done]), [imported], { now: noon, colour: 'state' })[1]).toMatchObject({ mood: 'done', badge: 'Imported', token: false });
  });

  it('say no next check of a phase that is paused', () => {
    const paused = phase('Endpoint', { state: 'PAUSED', attempt: 1, since: at(-5) });
    expect(marksOf(flow([paused]), [], { now: noon, colour: 'state' })[0]?.badge).toBe('Paused · 1 check');
  });

  it('compare with the fleet: as usual, longer, longer than nearly all', () => {
    const norms = new Map([
      ['EnsureCertificates', { p50: 50_000, p95: 90_000 }],
      ['EnsureEndpoint', { p50: 10_000, p95: 50_000 }],
    ]);
    const marks = marksOf(flow([done, here, later]), [], { now: noon, colour: 'fleet', norms });
    expect(marks.map((mark) => mark.heat)).toEqual([0, 4, undefined]);
    expect(marks[1]?.badge).toBe('1m · 7 checks · usually 10s');
  });

  it('say how often a phase was entered, and what somebody may point at', () => {
    const look = { now: noon, colour: 'state' as const, entered: new Map([['phase_Certificates', 2]]), picks: new Set(['phase_Certificates']) };
    const marks = marksOf(flow([done, here]), [], look);
    expect(marks[0]?.badge).toBe('40s · 3 checks · 2×');
    expect(marks.map((mark) => mark.pick)).toEqual([true, false]);
  });
});
