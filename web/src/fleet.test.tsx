import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ClusterView } from './api';
import { at, cluster, flow, phase } from './samples';
import { Console } from './testing';

describe('the fleet', () => {
  const page = new Console();

  /** A server that filters by state, text and namespace as the real one does, and reads in parts. */
  const fleet = (all: ClusterView[], warning?: string) => ({ path }: { path: string }) => {
    const [resource, query] = path.split('?');
    if (resource === 'namespaces') return { items: [{ name: 'demo' }, { name: 'prod' }] };
    if (resource !== 'clusters') return undefined;
    const asked = new URLSearchParams(query);
    const [text, state, namespace] = ['q', 'state', 'namespace'].map((name) => asked.get(name) ?? '');
    const found = all.filter(
      (one) => JSON.stringify(one).toLowerCase().includes(text ?? '') && (namespace === '' || one.namespace === namespace),
    );
    const counts: Record<string, number> = {};
    for (const { phase: one } of found) counts[one] = (counts[one] ?? 0) + 1;
    const shown = found.filter((one) => state === '' || one.phase === state);
    const offset = Number(asked.get('offset') ?? 0);
    const limit = Number(asked.get('limit'));
    return { items: shown.slice(offset, offset + limit), total: shown.length, offset, limit, counts, warning };
  };

  const endpoint = phase('Endpoint', {
    state: 'WAITING',
    stuck: true,
    attempt: 7,
    since: at(-120),
    reason: 'WaitingForEndpoint',
    message: '10.0.0.1:6443 refuses connections',
    nextCheck: at(9),
  });
  const stuck = cluster('edge', { phase: 'Stuck', stuck: true, flow: flow([endpoint], { done: 1, of: 3 }) });
  const ready = cluster('core', {
    phase: 'Ready',
    namespace: 'prod',
    flow: flow([], { state: 'COMPLETED', result: 'Ready', endedAt: at(-60) }),
  });
  const rows = () => page.all('tr[data-row]').map((row) => row.textContent);

  it('tells what each cluster waits for', async () => {
    await page.open('#/', fleet([stuck]));
    const row = rows()[0] ?? '';
    for (const text of ['demo/edge', 'Stuck', 'Endpoint', '1 of 3', 'Waiting for endpoint', 'refuses', '2m', '7', 'in 9s']) {
      expect(row).toContain(text);
    }
    expect(page.text).toContain('Live');
    expect(document.title).toBe('Clusters · Slipway');
  });

  it('counts by state, and shows the clusters of one', async () => {
    await page.open('#/', fleet([stuck, ready]));
    expect(page.all('.state').map((one) => one.textContent)).toEqual(['2 All', '1 Stuck', '1 Ready']);
    await page.click('Ready', '.states');
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain('prod/core');
    expect(page.all('.state').map((one) => one.getAttribute('aria-pressed'))).toEqual(['false', 'false', 'true']);
    expect(location.hash).toBe('#/?state=Ready');
    await page.click('Ready', '.states');
    expect(rows()).toHaveLength(2);
  });

  it('finds what is typed, and keeps it in the address', async () => {
    await page.open('#/', fleet([stuck, ready]));
    await page.type('Search', 'endpoint');
    await page.wait(200);
    expect(rows()).toHaveLength(1);
    expect(location.hash).toBe('#/?q=endpoint');
    expect(page.text).toContain('1 stuck of 1; 1 shown.');
  });

  it('begins with the filters of the address', async () => {
    await page.open('#/?namespace=prod', fleet([stuck, ready]));
    expect(rows()).toHaveLength(1);
    expect(page.all('.search select')[0]?.textContent).toBe('All namespacesdemoprod');
  });

  it('says that nothing matches, and shows all again', async () => {
    await page.open('#/?q=nowhere', fleet([stuck]));
    expect(page.text).toContain('No cluster matches.');
    await page.click('Show all clusters');
    expect(rows()).toHaveLength(1);
  });

  it('draws no more rows of ten thousand than can be seen', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => cluster(`c-${index}`));
    await page.open('#/', fleet(many));
    expect(rows().length).toBeLessThan(60);
    expect(page.one('table').getAttribute('aria-rowcount')).toBe('10001');
    const list = page.one('.list');
    await act(() => {
      list.scrollTop = 5_000 * 58;
      list.dispatchEvent(new Event('scroll'));
    });
    expect(rows()[0]).toBe('Reading…');
    await page.wait(0);
    expect(rows().length).toBeLessThan(60);
    expect(rows().some((row) => row.includes('c-5000'))).toBe(true);
    expect(page.one('tr[data-row="5000"]').getAttribute('aria-rowindex')).toBe('5002');
  });

  it('reads only the parts that are seen', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => cluster(`c-${index}`));
    const answer = fleet(many);
    const asked: string[] = [];
    await page.open('#/', (call) => {
      asked.push(call.path);
      return answer(call);
    });
    await act(() => {
      page.one('.list').scrollTop = 9_990 * 58;
      page.one('.list').dispatchEvent(new Event('scroll'));
    });
    await page.wait(0);
    expect(asked.filter((path) => path.startsWith('clusters'))).toEqual(['clusters?limit=100', 'clusters?offset=9900&limit=100']);
    expect(rows().at(-1)).toContain('c-9999');
  });

  it('is in the order that is asked for, and keeps it in the address', async () => {
    const asked: string[] = [];
    const answer = fleet([stuck, ready]);
    await page.open('#/', (call) => {
      asked.push(call.path);
      return answer(call);
    });
    await page.click('Cluster', 'thead');
    await page.click('Cluster', 'thead');
    expect(location.hash).toBe('#/?sort=name&order=desc');
    expect(page.one('th.col-cluster').getAttribute('aria-sort')).toBe('descending');
    expect(asked.at(-1)).toBe('clusters?sort=name&order=desc&limit=100');
    await page.select('Order', 'created desc');
    expect(asked.at(-1)).toBe('clusters?sort=created&order=desc&limit=100');
  });

  it('goes from row to row with the arrows', async () => {
    await page.open('#/', fleet([stuck, ready]));
    page.one('tr[data-row="0"] a').focus();
    const press = (key: string) => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('prod/core');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('prod/core');
    press('Home');
    expect(document.activeElement?.textContent).toBe('demo/edge');
  });

  it('goes to a row that was not drawn', async () => {
    await page.open('#/', fleet(Array.from({ length: 500 }, (_, index) => cluster(`c-${index}`))));
    page.one('tr[data-row="0"] a').focus();
    await act(() => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
      page.one('.list').dispatchEvent(new Event('scroll'));
    });
    await page.wait(0);
    expect(document.activeElement?.textContent).toBe('demo/c-499');
  });

  it('marks clusters that it only imports, and says how a flow ended', async () => {
    await page.open('#/', fleet([{ ...ready, origin: 'Cluster' }]));
    expect(rows()[0]).toContain('imported only');
    expect(rows()[0]).toContain('Ready1m');
  });

  it('explains an empty list', async () => {
    await page.open('#/', fleet([]));
    expect(page.text).toContain('There are no clusters yet.');
  });

  it('explains that nothing could be read, and tries again when asked', async () => {
    await page.open('#/', undefined);
    expect(page.one('[role=alert]').textContent).toContain('Slipway does not answer.');
    page.answer = fleet([stuck]);
    await page.click('Try again');
    expect(page.text).toContain('demo/edge');
  });

  it('keeps what it read when the connection is lost, and says how old it is', async () => {
    await page.open('#/', fleet([stuck]));
    page.answer = undefined;
    await page.wait(5_000);
    expect(page.text).toContain('demo/edge');
    expect(page.one('.connection').textContent).toContain('Not connected: what you see is 5s old.');
    page.answer = fleet([stuck]);
    await page.wait(8_000);
    expect(page.one('.connection').textContent).toContain('Live');
  });

  it('shows what is missing while the management cluster does not answer', async () => {
    await page.open('#/', fleet([stuck], 'The management cluster does not answer.'));
    expect(page.one('.notice').textContent).toBe('The management cluster does not answer.');
    expect(page.text).toContain('demo/edge');
  });

  it('speaks Chinese when asked, and stays with it', async () => {
    await page.open('#/', fleet([stuck]));
    await page.select('Language', 'zh');
    expect(page.text).toContain('集群');
    expect(rows()[0]).toContain('9秒后');
    expect(document.documentElement.lang).toBe('zh-Hans');
    expect(localStorage.getItem('slipway.language')).toBe('zh');
  });

  it('is dark when asked', async () => {
    await page.open('#/', fleet([]));
    await page.select('Appearance', 'dark');
    expect(document.documentElement.dataset.theme).toBe('dark');
  });

  it('has no page for an unknown address', async () => {
    await page.open('#/elsewhere', fleet([]));
    expect(page.text).toContain('There is no such page.');
  });
});
