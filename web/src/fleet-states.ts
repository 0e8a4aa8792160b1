// In which order states are looked at.

/** States in the order in which somebody looks at them. */
const states: readonly string[] = [
  'Stuck',
  'Failed',
  'Paused',
  'Deleting',
  'Initializing',
  'Importing',
  'Pending',
  'Planned',
  'Ready',
];

/** How many clusters there are of each state, in the order of looking; those that there are none of are left out. */
export function ordered(counts: Record<string, number>): [state: string, count: number][] {
  const rank = (state: string) => (states.includes(state) ? states.indexOf(state) : states.length);
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other));
}
