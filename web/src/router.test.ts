import { describe, expect, it } from 'vitest';
import { clusterHref, hrefOf, noFilters, parseRoute } from './router';
import type { Route } from './router';

describe('the routes', () => {
  it.each<Route>([
    { page: 'fleet', filters: noFilters },
    { page: 'fleet', filters: { text: 'a&b c', state: 'Stuck', namespace: 'demo', sort: 'created', order: 'desc' } },
    { page: 'cluster', namespace: 'demo', name: 'c1' },
    { page: 'stuck' },
    { page: 'create' },
    { page: 'receipts', query: {} },
    { page: 'receipts', query: { namespace: 'demo', name: 'c1', offset: '50' } },
    { page: 'work-items', query: { cluster: 'c1' } },
    { page: 'work-item', namespace: 'demo', name: 'ingress' },
    { page: 'audit', query: { by: 'ada', action: 'DECIDE', since: '2026-03-01' } },
    { page: 'statistics', query: { since: 'P30D', kind: 'init' } },
    { page: 'sign-in', to: '/camunda/app/cockpit/?a=b#/x?y=z' },
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

  it.each(['#/clusters', '#/clusters/demo', '#/elsewhere', '#/stuck/x', '#/toString'])('know no page for %j', (hash) => {
    expect(parseRoute(hash).page).toBe('missing');
  });

  it('take only what the page knows, and an order that there is', () => {
    expect(parseRoute('#/receipts?name=c1&evil=1')).toEqual({ page: 'receipts', query: { name: 'c1' } });
    expect(parseRoute('#/?sort=evil&order=up')).toEqual({ page: 'fleet', filters: noFilters });
  });

  it('survive a broken escape', () => {
    expect(parseRoute('#/clusters/demo/%E0%A4%A')).toEqual({ page: 'cluster', namespace: 'demo', name: '%E0%A4%A' });
  });
});
