// Which clusters of a fleet are shown, and how many there are of each state.
import type { ClusterView } from './api';
import { words } from './format';
import { currentPhase } from './reading';
import type { Filters } from './router';

/** States in the order in which somebody looks at them. */
export const states = [
  'Stuck',
  'Failed',
  'Paused',
  'Deleting',
  'Initializing',
  'Importing',
  'Pending',
  'Planned',
  'Ready',
] as const;

/** How many clusters there are of each state, in the order of looking; those that there are none of are left out. */
export function counts(clusters: ClusterView[]): [state: string, count: number][] {
  const found = new Map<string, number>();
  for (const { phase } of clusters) found.set(phase, (found.get(phase) ?? 0) + 1);
  const order: readonly string[] = states;
  const rank = (state: string) => (order.includes(state) ? order.indexOf(state) : order.length);
  return [...found].sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other));
}

export function namespaces(clusters: ClusterView[]): string[] {
  return [...new Set(clusters.map(({ namespace }) => namespace))].sort();
}

/** The clusters that match all filters, in the order of the server: those that need somebody first. */
export function filtered(clusters: ClusterView[], { text, state, namespace }: Filters): ClusterView[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter((word) => word !== '');
  return clusters.filter(
    (cluster) =>
      (state === '' || cluster.phase === state) &&
      (namespace === '' || cluster.namespace === namespace) &&
      (wanted.length === 0 || matches(cluster, wanted)),
  );
}

function matches(cluster: ClusterView, wanted: string[]): boolean {
  const here = cluster.flow == null ? undefined : currentPhase(cluster.flow);
  const reason = here?.reason ?? '';
  const texts = [`${cluster.namespace}/${cluster.name}`, here?.title ?? '', reason, words(reason), here?.message ?? ''];
  const all = texts.join('\n').toLowerCase();
  return wanted.every((word) => all.includes(word));
}
