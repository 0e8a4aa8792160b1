import { describe, expect, it } from 'vitest';
import { currentPhase, flowEnd, phaseMood, phaseStateText, reasonOf } from './reading';
import { flow, phase } from './samples';

describe('reading a flow', () => {
  it('takes the first phase of a running flow for the current one', () => {
    const running = flow([phase('B', { state: 'WAITING' })], { done: 1, of: 3 });
    expect(currentPhase(running)?.title).toBe('B');
  });

  it('has no current phase when the flow is over, or between two phases', () => {
    expect(currentPhase(flow([phase('A', { state: 'DONE' })], { state: 'COMPLETED' }))).toBeUndefined();
    expect(currentPhase(flow([]))).toBeUndefined();
  });

  it('calls a stuck phase stuck only while it stands', () => {
    expect(phaseMood(phase('A', { state: 'WAITING', stuck: true }))).toBe('stuck');
    expect(phaseStateText(phase('A', { state: 'WAITING', stuck: true }))).toBe('Stuck, waiting');
    expect(phaseStateText(phase('A', { state: 'BLOCKED', stuck: true }))).toBe('Blocked');
    expect(phaseMood(phase('A', { state: 'DONE', stuck: true }))).toBe('done');
  });

  it('reads reasons as words', () => {
    expect(reasonOf(phase('A', { state: 'WAITING', reason: 'WaitingForNodes' }))).toBe('Waiting for nodes');
    expect(reasonOf(phase('A', { state: 'WAITING' }))).toBe('Entered');
  });

  it('says how a flow ended', () => {
    expect(flowEnd(flow([], { state: 'COMPLETED', result: 'Ready' }))).toBe('Ready');
    expect(flowEnd(flow([], { state: 'ABORTED' }))).toBe('Aborted');
  });
});
