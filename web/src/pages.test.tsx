import { describe, expect, it } from 'vitest';
import { at, flow, phase } from './samples';
import { Console, Status, listed } from './testing';

describe('the audit', () => {
  const page = new Console();
  const deed = {
    id: '7', at: at(-60), by: 'ada', via: 'session', address: '192.0.2.7', action: 'DECIDE', what: 'RETRY', object: 'Cluster demo/c1',
    namespace: 'demo', name: 'c1', phase: 'EnsureEndpoint', reason: 'The network is back', result: 'RECORDED',
  };

  it('tells who did what, by what way, about what', async () => {
    await page.open('#/audit', ({ path }) => (path.startsWith('audit') ? listed([deed]) : undefined));
    expect(page.one('tbody tr').textContent).toBe(
      '1m agoadaconsole, 192.0.2.7DecidedRetry, EnsureEndpointCluster demo/c1The network is backRecorded',
    );
    expect(page.one('tbody a').getAttribute('href')).toBe('#/clusters/demo/c1');
  });

  it('is narrowed by what stands in the address, days by the calendar of the person', async () => {
    const asked: string[] = [];
    await page.open('#/audit?by=ada&since=2026-02-03', ({ path }) => {
      asked.push(path);
      return listed([deed]);
    });
    const query = new URLSearchParams(asked.find((path) => path.startsWith('audit?'))?.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({ by: 'ada', since: new Date(2026, 1, 3).toISOString(), limit: '50' });
    await page.select('What', 'DECIDE');
    expect(location.hash).toBe('#/audit?by=ada&since=2026-02-03&action=DECIDE');
  });

  it('is read in parts', async () => {
    await page.open('#/audit', ({ path }) => {
      const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset') ?? 0);
      return { items: [{ ...deed, id: String(offset) }], total: 120, offset, limit: 50 };
    });
    expect(page.one('.pager').textContent).toContain('1 to 50 of 120');
    await page.click('Next', '.pager');
    await page.click('Next', '.pager');
    expect(location.hash).toBe('#/audit?offset=100');
    expect(page.one('.pager').textContent).toContain('101 to 120 of 120');
    expect(page.all<HTMLButtonElement>('.pager button').map((one) => one.disabled)).toEqual([false, true]);
    await page.type('Who', 'bob');
    expect(location.hash).toBe('#/audit?by=bob');
  });

  it('may be empty', async () => {
    await page.open('#/audit', () => listed([]));
    expect(page.text).toContain('Nothing was noted that matches.');
  });
});

describe('the statistics', () => {
  const page = new Console();
  const statistics = {
    since: at(-7 * 86_400),
    flows: [{ kind: 'init', state: 'COMPLETED', result: 'Ready', count: 97 }],
    phases: [
      { kind: 'init', phase: 'EnsureEndpoint', title: 'Endpoint', elementId: 'e', count: 90, p50: 4.2, p95: 61, max: 600, attempts: 300, failures: 12, stuck: 2, running: 1 },
    ],
    retries: [{ from: at(-86_400), phase: 'EnsureEndpoint', kind: 'init', code: 'ApiUnreachable', count: 17 }],
    bucket: 'P1D',
  };

  it('tell how long phases take, what failed, and what is stuck', async () => {
    await page.open('#/statistics', ({ path }) => (path.startsWith('statistics') ? statistics : undefined));
    expect(page.one('[aria-labelledby=flows] tbody').textContent).toBe('initReady97');
    expect(page.one('section[aria-labelledby=phases] tbody').textContent).toBe('Endpoint init904.2s1m1s10m3001221');
    expect(page.one('[aria-labelledby=causes] tbody').textContent).toBe('Api unreachableEnsureEndpointinit17');
  });

  it('draw failures over time, and say the same as a table', async () => {
    await page.open('#/statistics', () => statistics);
    expect(page.one('.chart > svg').getAttribute('aria-label')).toContain('17 in all, 17 at most');
    await page.click('As a table');
    const values = page.all('.chart tbody tr').map((row) => row.querySelector('td')?.textContent);
    expect(values).toHaveLength(8);
    expect(values.filter((one) => one !== '0')).toEqual(['17']);
  });

  it('are of the time and the flow that are asked for', async () => {
    const asked: string[] = [];
    await page.open('#/statistics?since=P30D', ({ path }) => {
      asked.push(path);
      return statistics;
    });
    await page.select('Flow', 'import');
    expect(asked.filter((path) => path.startsWith('statistics'))).toEqual(['statistics?since=P30D', 'statistics?since=P30D&kind=import']);
  });
});

describe('work items', () => {
  const page = new Console();
  const waiting = phase('Installed', { state: 'BLOCKED', stuck: true, reason: 'ChartNotFound', message: 'no such chart', run: 'r', choices: ['RETRY'] });
  const item = {
    namespace: 'demo', name: 'ingress', uid: 'u', cluster: 'c1', chart: 'nginx', phase: 'Installing', ready: false, deleting: false, createdAt: at(-120),
    release: { version: '4.1' }, flows: [flow([waiting], { kind: 'work-item-install' })],
  };
  const whole = { ...item, flows: [flow([phase('Planned', { state: 'DONE' }), waiting], { kind: 'work-item-install' })] };

  it('are listed with what they wait for and links to their clusters', async () => {
    await page.open('#/work-items?cluster=c1', ({ path }) => (path === 'work-items?cluster=c1&limit=50' ? listed([item]) : undefined));
    expect(page.one('tbody tr').textContent).toBe('demo/ingressnginx 4.1c1Stuck, installingInstalled: Chart not foundno such chart2m');
    expect(page.all('tbody a').map((one) => one.getAttribute('href'))).toEqual(['#/work-items/demo/ingress', '#/clusters/demo/c1']);
  });

  it('are decided about on their own page', async () => {
    await page.open('#/work-items/demo/ingress', ({ method, path }) => {
      if (method !== 'GET') return {};
      if (path === 'audit?namespace=demo&cluster=ingress&limit=20') {
        return listed([{ id: '1', at: at(-60), by: 'bob', via: 'session', action: 'DECIDE', what: 'PAUSE', result: 'RECORDED' }]);
      }
      return path === 'work-items/demo/ingress' ? whole : undefined;
    });
    expect(page.one('[aria-labelledby=deeds] tbody').textContent).toBe('1m agobobconsoleDecidedPauseRecorded');
    expect(page.one('.summary').textContent).toContain('Stuck, installing');
    expect(page.all('.flow-head button')).toHaveLength(0);
    await page.click('Decide…');
    await page.submit();
    expect(page.changes).toEqual([{ method: 'POST', path: 'work-items/demo/ingress/decisions', body: { choice: 'RETRY', run: 'r' } }]);
  });

  it('are installed once more when nothing runs', async () => {
    const done = { ...item, phase: 'Installed', flows: [] };
    await page.open('#/work-items/demo/ingress', ({ method, path }) => {
      if (method !== 'GET') return new Status(201);
      return path === 'work-items/demo/ingress' ? done : undefined;
    });
    await page.click('Install once more');
    expect(page.changes).toEqual([{ method: 'POST', path: 'work-items/demo/ingress/flows', body: { flow: 'work-item-install' } }]);
    expect(page.text).toContain('Started.');
  });

  it('leave receipts when they are gone', async () => {
    await page.open('#/work-items/demo/ingress', () => undefined);
    expect(page.text).toContain('There is no work item demo/ingress any more.');
  });
});
