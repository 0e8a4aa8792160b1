// Sample answers for tests: small, and complete.
import type { ClusterView, FlowView, PhaseView } from './api';

export const noon = Date.parse('2026-03-01T12:00:00Z');

export function at(secondsFromNoon: number): string {
  return new Date(noon + secondsFromNoon * 1_000).toISOString();
}

export function phase(title: string, values: Partial<PhaseView> = {}): PhaseView {
  return {
    name: `Ensure${title}`,
    title,
    elementId: `phase_${title}`,
    state: 'PENDING',
    stuck: false,
    attempt: 0,
    actions: [],
    ...values,
  };
}

export function flow(phases: PhaseView[], values: Partial<FlowView> = {}): FlowView {
  return {
    id: 'f-1',
    kind: 'init',
    state: 'RUNNING',
    startedBy: 'slipway',
    startedAt: at(-300),
    done: phases.filter((one) => one.state === 'DONE').length,
    of: phases.length,
    phases,
    ...values,
  };
}

export function cluster(name: string, values: Partial<ClusterView> = {}): ClusterView {
  return { namespace: 'demo', name, uid: `uid-${name}`, phase: 'Initializing', ready: false, stuck: false, ...values };
}
