import { expect, it } from 'vitest';
import { ordered } from './fleet-states';

it('counts states in the order in which somebody looks, and leaves out those that there are none of', () => {
  expect(ordered({ Ready: 2, Melting: 1, Stuck: 1, Failed: 0 })).toEqual([
    ['Stuck', 1],
    ['Ready', 2],
    ['Melting', 1],
  ]);
});
