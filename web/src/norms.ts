// How long phases usually take in this fleet, to see whether one takes longer.
import { useEffect, useState } from 'preact/hooks';
import type { PhaseView, Statistics } from './api';
import { apiUrl, read, withQuery } from './http';
import { phaseTime } from './reading';

/** Half of the runs took so long at most, and 19 of 20; in milliseconds. */
export interface Norm {
  p50: number;
  p95: number;
}

/** By the phase's name. */
export type Norms = Map<string, Norm>;

/** Fewer runs say nothing about what is usual. */
const fewest = 5;

export function normsOf({ phases }: Statistics): Norms {
  const norms: Norms = new Map();
  for (const { phase, count, p50, p95 } of phases) {
    if (count >= fewest && p50 != null && p95 != null) norms.set(phase, { p50: p50 * 1_000, p95: p95 * 1_000 });
  }
  return norms;
}

export type Pace = 'usual' | 'slow' | 'slowest';

/** Whether a phase takes as long as half of all, longer, or longer than nearly all. */
export function paceOf(phase: PhaseView, norms: Norms, now: number): Pace | undefined {
  const norm = norms.get(phase.name);
  const time = phaseTime(phase, now);
  if (norm === undefined || time === undefined) return undefined;
  if (time <= norm.p50) return 'usual';
  return time <= norm.p95 ? 'slow' : 'slowest';
}

/** What is usual for a kind of flow, once somebody wants to know; undefined as long as that is unknown. */
export function useNorms(kind: string, wanted: boolean): Norms | undefined {
  const [norms, setNorms] = useState<Norms>();
  useEffect(() => {
    if (!wanted) return;
    const ended = new AbortController();
    read<Statistics>(withQuery(apiUrl('statistics'), { since: 'P30D', kind }), ended.signal).then(
      (statistics) => {
        setNorms(normsOf(statistics));
      },
      // Nothing to compare with, then.
      () => undefined,
    );
    return () => {
      ended.abort();
    };
  }, [kind, wanted]);
  return norms;
}
