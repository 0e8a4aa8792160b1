import { describe, expect, it } from 'vitest';
import { clusterHref, hrefOf, noFilters, parseRoute } from './router';
import type { Route } from './router';

describe('the routes', () => {
  it.each<Route>([
    { page: 'fleet', filters: noFilters },
    { page: 'fleet', filters: { text: 'a&b c', state: 'Stuck', namespace: 'demo' } },
    { page: 'cluster', namespace: 'demo', name: 'c1' },
    { page: 'stuck' },
    { page: 'receipts', namespace: '', name: '' },
    { page: 'receipts', namespace: 'demo', name: 'c1' },
    { page: 'receipt', flow: '95dd-1' },
  ])('come back from their address: %o', (route) => {
    expect(parseRoute(hrefOf(route))).toEqual(route);
  });

  it('escape names', () => {
    expect(clusterHref({ namespace: 'a/b', name: 'c?' })).toBe('#/clusters/a%2Fb/c%3F');
    expect(parseRoute('#/clusters/a%2Fb/c%3F')).toEqual({ page: 'cluster', namespace: 'a/b', name: 'c?' });
  });

  it.each(['', '#', '#/', '#/?'])('show the fleet for %j', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'fleet', filters: noFilters });
  });

  it.each(['#/clusters', '#/clusters/demo', '#/elsewhere', '#/stuck/x'])('know no page for %j', (hash) => {
    expect(parseRoute(hash).page).toBe('missing');
  });

  it('survive a broken escape', () => {
    expect(parseRoute('#/clusters/demo/%E0%A4%A')).toEqual({ page: 'cluster', namespace: 'demo', name: '%E0%A4%A' });
  });
});
