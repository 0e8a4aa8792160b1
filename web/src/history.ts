// What a flow did before: every run of every phase, in the order of time.
import { useEffect, useMemo } from 'preact/hooks';
import type { FlowView, PhaseView, RunView } from './api';
import { apiUrl, reader } from './http';
import { usePolled } from './poll';

const slow = { interval: 15_000, slowest: 60_000 };

/** All runs of a flow, the oldest first; undefined as long as they are unknown. */
export function useRuns(flow: FlowView): RunView[] | undefined {
  const load = useMemo(() => reader<{ items: RunView[] }>(apiUrl('flows', flow.id, 'runs')), [flow.id]);
  const { data, soon } = usePolled(load, slow);
  // A phase that was entered or left makes or ends a run.
  const stands = flow.phases.map(({ name, state, run }) => `${name} ${state} ${run ?? ''}`).join();
  useEffect(() => {
    soon();
  }, [stands]);
  return data?.items;
}

/** How often each phase was entered, by its element. */
export function entered(runs: RunView[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { elementId } of runs) times.set(elementId, (times.get(elementId) ?? 0) + 1);
  return times;
}

/** The flow as it stood in one of its runs: the token is there, and what came before is as it was left. */
export function asOf(flow: FlowView, runs: RunView[], step: number): FlowView {
  const here = runs[step];
  if (here === undefined) return flow;
  const latest = new Map(runs.slice(0, step + 1).map((run) => [run.elementId, run]));
  const phases = flow.phases.map((phase) => phaseOf(phase, latest.get(phase.elementId), here));
  return { ...flow, state: 'RUNNING', phases, done: phases.filter((one) => one.state === 'DONE').length };
}

function phaseOf(phase: PhaseView, run: RunView | undefined, here: RunView): PhaseView {
  const { name, title, elementId } = phase;
  const base: PhaseView = { name, title, elementId, state: 'PENDING', stuck: false, attempt: 0, actions: [] };
  if (run === undefined) return base;
  const { attempts: attempt, enteredAt: since, reason = null, message = null } = run;
  const told = { ...base, attempt, since, reason, message };
  if (run === here) return { ...told, state: 'WAITING', until: run.leftAt ?? null };
  // Of phases that run at a time, one may have been left only later.
  return { ...told, state: run.leftAt == null ? 'WAITING' : run.state, until: run.leftAt ?? null };
}
