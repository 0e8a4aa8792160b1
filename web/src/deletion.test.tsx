import { describe, expect, it } from 'vitest';
import { at, cluster, flow } from './samples';
import { Console, Status, listed } from './testing';

describe('deleting a cluster', () => {
  const page = new Console();
  const item = (kind: string, action: string, names: string[]) => ({ kind, where: 'management', action, owner: 'Cluster API', names });

  function shows(preview?: unknown, change: unknown = {}, details = {}) {
    return page.open('#/clusters/demo/c1', ({ method, path }) => {
      if (method !== 'GET') return change;
      if (path.startsWith('clusters/demo/c1/deletion')) return preview;
      if (path === 'clusters/demo/c1') return { cluster: cluster('c1'), flows: [], conditions: [], ...details };
      return undefined;
    });
  }

  const preview = {
    mode: 'Full',
    items: [item('Machine', 'delete', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6']), item('Secret', 'keep', ['c1-ca'])],
    warnings: ['the cluster is paused'],
  };

  it('shows before what it would meet', async () => {
    await shows(preview);
    await page.click('Delete…');
    const rows = page.all('.preview tbody tr').map((row) => row.textContent);
    expect(rows[0]).toBe('Machinemanagement cluster7m0, m1, m2, m3, m4 and 2 moreDeletedCluster API');
    expect(rows[1]).toContain('Kept');
    expect(page.one('.preview .notice').textContent).toBe('the cluster is paused');
  });

  it('is not started while the name is not typed', async () => {
    await shows(preview);
    await page.click('Delete…');
    await page.type('Type c1', 'c2');
    await page.submit();
    expect(page.changes).toEqual([]);
    expect(page.one('dialog [role=alert]').textContent).toBe('Not started: What you typed is not the name c1.');
  });

  it('is started with what was chosen, and nothing else', async () => {
    await shows(preview);
    await page.click('Delete…');
    await page.type('Type c1', 'c1');
    await page.submit();
    expect(page.text).toContain('The deletion has started.');
    await page.click('Delete…');
    await page.click('The cluster and its machines stay');
    await page.click('Only plan');
    await page.type('Why', 'moves');
    await page.type('Type c1', ' c1 ');
    await page.submit();
    expect(page.changes.map(({ path, body }) => [path, body])).toEqual([
      ['clusters/demo/c1/flows', { flow: 'delete', confirm: 'c1' }],
      ['clusters/demo/c1/flows', { flow: 'delete', confirm: 'c1', mode: 'Detach', reason: 'moves', dryRun: true }],
    ]);
  });

  it("shows the server's reason when it is refused, and when there is no preview", async () => {
    await shows(undefined, new Status(422, { detail: 'global is the management cluster' }));
    await page.click('Delete…');
    expect(page.one('.preview').textContent).toContain('No preview: No clusters/demo/c1/deletion.');
    await page.type('Type c1', 'c1');
    await page.submit();
    expect(page.one('dialog [role=alert]').textContent).toBe('Not started: global is the management cluster.');
  });

  it('is not offered while one runs', async () => {
    await shows(preview, {}, { flows: [flow([], { kind: 'delete' })] });
    expect(page.all('button').map((one) => one.textContent)).not.toContain('Delete…');
  });

  it('leads to the receipts when the cluster is gone', async () => {
    await page.open('#/clusters/demo/c1', () => undefined);
    expect(page.one('h1').textContent).toBe('There is no cluster demo/c1 any more.');
    expect(page.one('main a').getAttribute('href')).toBe('#/receipts?namespace=demo&name=c1');
  });
});

describe('the receipts', () => {
  const page = new Console();
  const receipt = {
    flow: 'f-1',
    kind: 'delete',
    namespace: 'demo',
    name: 'c1',
    uid: 'uid-1',
    mode: 'Full',
    startedBy: 'alice',
    reason: 'not needed',
    startedAt: at(-120),
    closedAt: at(-60),
    result: 'Deleted',
    summary: '1 deleted, 1 left behind: Namespace cpaas-system',
    counts: { DELETED: 1, LEFT: 1 },
  };
  const details = {
    ...receipt,
    entries: [
      { what: 'Secret demo/c1-ca', fate: 'DELETED', phase: 'EnsureGone', at: at(-70) },
      { what: 'Namespace cpaas-system', fate: 'LEFT', phase: 'EnsureRemoteCleaned', why: 'not reachable', at: at(-80) },
    ],
    phases: [{ phase: 'EnsureGone', state: 'DONE', reason: 'WaitingForMachines', seconds: 61 }, { phase: 'Admit', state: 'DONE', reason: 'Done', seconds: 1 }],
    decisions: [{ choice: 'SKIP_REMOTE', phase: 'EnsureRemoteCleaned', by: 'bob', why: 'burnt down', state: 'APPLIED', at: at(-90) }],
  };

  it('are listed, and found by name', async () => {
    const asked: string[] = [];
    await page.open('#/receipts', ({ path }) => {
      asked.push(path);
      return listed([receipt]);
    });
    const row = page.one('tbody tr');
    expect(row.textContent).toContain('1 left behind: Namespace cpaas-system');
    expect(row.querySelector('a')?.getAttribute('href')).toBe('#/receipts/f-1');
    await page.type('Name', 'c1');
    expect(location.hash).toBe('#/receipts?name=c1');
    expect(asked.at(-1)).toBe('receipts?cluster=c1&limit=50');
  });

  it('may be none', async () => {
    await page.open('#/receipts', () => listed([]));
    expect(page.text).toContain('There is no receipt.');
  });

  it('tell the fate of each object, what was left behind first', async () => {
    await page.open('#/receipts/f-1', ({ path }) => (path === 'receipts/f-1' ? details : undefined));
    const rows = page.all('[aria-labelledby=entries] tbody tr').map((row) => row.textContent);
    expect(rows[0]).toBe('Namespace cpaas-systemLeft behindnot reachableEnsureRemoteCleaned1m20s ago');
    expect(rows[1]).toContain('Secret demo/c1-caDeleted');
    expect(page.one('.card').textContent).toContain('Took1m');
    expect(page.one('[aria-labelledby=phases] tbody').textContent).toBe('EnsureGoneDone1m1sWaiting for machinesAdmitDone1s');
    expect(page.one('[aria-labelledby=decided] tbody').textContent).toContain('bobSkip the workload cluster');
  });
});
