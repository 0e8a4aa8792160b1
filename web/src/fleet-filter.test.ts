import { describe, expect, it } from 'vitest';
import { counts, filtered, namespaces } from './fleet-filter';
import { noFilters } from './router';
import { cluster, flow, phase } from './samples';

describe('the filters of the fleet', () => {
  const stuck = cluster('edge', {
    phase: 'Stuck',
    flow: flow([phase('Endpoint', { state: 'BLOCKED', reason: 'ApiUnreachable', message: '10.0.0.1 refuses' })]),
  });
  const ready = cluster('core', { phase: 'Ready', namespace: 'prod' });
  const fleet = [stuck, ready, cluster('other', { phase: 'Ready' }), cluster('odd', { phase: 'Melting' })];

  it('count states in the order in which somebody looks', () => {
    expect(counts(fleet)).toEqual([
      ['Stuck', 1],
      ['Ready', 2],
      ['Melting', 1],
    ]);
  });

  it('find by name, phase, reason in words, and message', () => {
    const found = (text: string) => filtered(fleet, { ...noFilters, text }).map(({ name }) => name);
    expect(found('DEMO/ed')).toEqual(['edge']);
    expect(found('endpoint')).toEqual(['edge']);
    expect(found('api unreachable')).toEqual(['edge']);
    expect(found('refuses 10.0')).toEqual(['edge']);
    expect(found('nothing')).toEqual([]);
  });

  it('hold all at once', () => {
    expect(filtered(fleet, { text: '', state: 'Ready', namespace: 'prod' })).toEqual([ready]);
    expect(filtered(fleet, { text: 'edge', state: 'Ready', namespace: '' })).toEqual([]);
  });

  it('know the namespaces', () => {
    expect(namespaces(fleet)).toEqual(['demo', 'prod']);
  });
});
