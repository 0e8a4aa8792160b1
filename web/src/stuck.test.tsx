import { describe, expect, it } from 'vitest';
import { at } from './samples';
import { Console, Status } from './testing';

describe('what is stuck', () => {
  const page = new Console();
  const member = (name: string) => ({ namespace: 'demo', name, run: `run-${name}`, flow: 'f', escalatedAt: at(-60) });
  const group = (names: string[]) => ({
    flow: 'init',
    phase: 'EnsureEndpoint',
    reason: 'ApiUnreachable',
    message: '10.0.0.1 refuses',
    count: names.length,
    oldest: at(-3_600),
    clusters: names.map(member),
  });

  function shows(items: unknown[], change: unknown = { items: [] }) {
    return page.open('#/stuck', ({ method, path }) => {
      if (method !== 'GET') return change;
      return path === 'stuck' ? { items } : undefined;
    });
  }

  it('is grouped by cause, with links to the clusters', async () => {
    await shows([group(['a', 'b'])]);
    const card = page.one('.card').textContent;
    for (const text of ['Api unreachable', '2 clusters', 'EnsureEndpoint in init', 'the first one for 1h', '10.0.0.1 refuses']) {
      expect(card).toContain(text);
    }
    expect(page.all('.card a').map((link) => link.getAttribute('href'))).toEqual(['#/clusters/demo/a', '#/clusters/demo/b']);
  });

  it('is retried at once, with one reason', async () => {
    await shows([group(['a', 'b'])], { items: [{ state: 'APPLIED' }, { state: 'OVERTAKEN' }] });
    await page.click('Retry all…');
    expect(page.one('dialog').textContent).toContain('Retry 2 clusters');
    await page.type('Why', 'The network is back');
    await page.submit();
    expect(page.changes).toEqual([
      {
        method: 'POST',
        path: 'stuck/retry',
        body: { phase: 'EnsureEndpoint', reason: 'ApiUnreachable', why: 'The network is back' },
      },
    ]);
    expect(page.text).toContain('1 started anew, 1 not: somebody else was quicker.');
  });

  it('says why it was not retried', async () => {
    await shows([group(['a'])], new Status(403));
    await page.click('Retry all…');
    await page.submit();
    expect(page.one('dialog [role=alert]').textContent).toBe(
      'Not retried: This account may not do that. Ask for a role that may.',
    );
  });

  it('lists a large group in parts', async () => {
    await shows([group(Array.from({ length: 150 }, (_, index) => `c${index}`))]);
    expect(page.all('.card a')).toHaveLength(100);
    await page.click('and 50 more');
    expect(page.all('.card a')).toHaveLength(150);
  });

  it('may be nothing', async () => {
    await shows([]);
    expect(page.text).toContain('Nothing is stuck.');
  });
});
