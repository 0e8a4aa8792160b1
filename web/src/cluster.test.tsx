import { describe, expect, it } from 'vitest';
import type { ClusterView, DecisionView, FlowView } from './api';
import { at, cluster, flow, phase } from './samples';
import { Console, Status } from './testing';

describe('the page of a cluster', () => {
  const page = new Console();
  const address = '#/clusters/demo/edge';

  interface Shown {
    flows: FlowView[];
    values?: Partial<ClusterView>;
    decisions?: Partial<DecisionView>[];
    change?: unknown;
  }

  function shows({ flows, values = {}, decisions = [], change = {} }: Shown) {
    return page.open(address, ({ method, path }) => {
      if (method !== 'GET') return change;
      if (path === 'clusters/demo/edge/decisions') return { items: decisions };
      if (path === 'clusters/demo/edge') {
        const conditions = [{ type: 'Stuck', status: 'True', reason: 'CaExpired', message: 'edge-ca', lastTransitionTime: at(-60) }];
        return { cluster: cluster('edge', values), flows, conditions };
      }
      return undefined;
    });
  }

  const stuck = flow([
    phase('Certificates', { state: 'DONE', attempt: 1, since: at(-200), until: at(-197) }),
    phase('Endpoint', {
      state: 'WAITING',
      stuck: true,
      attempt: 7,
      since: at(-120),
      reason: 'WaitingForEndpoint',
      message: '10.0.0.1:6443 refuses connections',
      lastErrorCode: 'ConnectRefused',
      lastError: 'connect to 10.0.0.1:6443: refused',
      nextCheck: at(9),
      actions: ['Look at the load balancer'],
      run: 'run-1',
      cause: { code: 'NoRouteToHost', message: 'nothing answers at 10.0.0.1' },
      choices: ['RETRY', 'RETRY_FROM', 'WAIT_MORE', 'SKIP'],
    }),
    phase('Healthy'),
  ]);

  it('says where it stands, why, and what can be done', async () => {
    await shows({ flows: [stuck], values: { phase: 'Stuck', version: 'v1.36.3' } });
    const here = page.one('.standing').textContent;
    for (const text of [
      'Endpoint',
      'Stuck, waiting',
      'for 2m, 7 checks',
      'Waiting for endpoint',
      'in 9s',
      'ConnectRefused: connect to 10.0.0.1:6443: refused',
      'No route to host: nothing answers at 10.0.0.1',
      'Look at the load balancer',
    ]) {
      expect(here).toContain(text);
    }
    expect(page.one('.summary').textContent).toContain('Kubernetes v1.36.3');
    expect(page.one('.flow a').getAttribute('href')).toMatch(/#\/process-instance\/f-1$/);
  });

  it('lists all phases in words', async () => {
    await shows({ flows: [stuck] });
    const steps = page.all('.timeline > li').map((step) => step.textContent);
    expect(steps).toHaveLength(3);
    expect(steps[0]).toContain('took 3s, 1 check');
    expect(steps[2]).toContain('Not reached');
    expect(page.one('[aria-current=step]').textContent).toContain('Endpoint');
  });

  it('lists the conditions', async () => {
    await shows({ flows: [] });
    expect(page.one('[aria-labelledby=conditions] tbody tr').textContent).toBe('StuckTrueCaExpirededge-ca1m');
    expect(page.text).toContain('No flow has started for this cluster yet.');
  });

  it('says why there is no diagram', async () => {
    await shows({ flows: [stuck] });
    expect(page.text).toContain('The diagram cannot be shown: No flows/f-1/diagram.');
  });

  it('hides the diagram of a flow when asked', async () => {
    await shows({ flows: [stuck] });
    await page.click('Hide the diagram');
    expect(page.all('.diagram')).toHaveLength(0);
    expect(page.one('.flow .link').getAttribute('aria-expanded')).toBe('false');
  });

  it('retries, and says so', async () => {
    await shows({ flows: [stuck] });
    await page.click('Retry', '.flow-head');
    expect(page.changes.map(({ path }) => path)).toEqual(['clusters/demo/edge/retry']);
    expect(page.text).toContain('Started anew.');
  });

  it("shows the server's reason when a retry is refused", async () => {
    await shows({ flows: [stuck], change: new Status(409, { detail: 'No flow is active' }) });
    await page.click('Retry', '.flow-head');
    expect(page.text).toContain('Not retried: No flow is active.');
  });

  it('offers only what the phase allows, with its consequences', async () => {
    await shows({ flows: [stuck] });
    await page.click('Decide…');
    expect(page.all('dialog input[type=radio]').map((one) => (one as HTMLInputElement).value)).toEqual(
      stuck.phases[1]?.choices,
    );
    expect(page.one('dialog').textContent).toContain('The flow goes on without what this phase guarantees.');
  });

  it('decides about the run that was seen', async () => {
    await shows({ flows: [stuck] });
    await page.click('Decide…');
    await page.click('Retry from an earlier phase');
    await page.submit();
    expect(page.all('dialog')).toHaveLength(0);
    await page.click('Decide…');
    await page.click('The phase goes on trying');
    await page.type('How long', 'PT2H');
    await page.type('Why', 'power cut');
    await page.submit();
    expect(page.changes.map(({ body }) => body)).toEqual([
      { choice: 'RETRY_FROM', run: 'run-1', from: 'EnsureCertificates' },
      { choice: 'WAIT_MORE', run: 'run-1', duration: 'PT2H', reason: 'power cut' },
    ]);
    expect(page.text).toContain('Decided.');
  });

  it('asks for a reason before it lets somebody skip', async () => {
    await shows({ flows: [stuck] });
    await page.click('Decide…');
    await page.click('The flow goes on without');
    expect(page.control('dialog input[name=reason]').required).toBe(true);
    expect(page.one('dialog .danger').textContent).toBe('Decide: Skip');
  });

  it('asks what a choice is about, and sends it with no other choice', async () => {
    const lost = phase('Reachable', { state: 'BLOCKED', run: 'run-2', choices: ['SUPPLY_CREDENTIALS', 'ACCEPT_CA', 'RETRY'] });
    await shows({ flows: [flow([lost], { kind: 'import' })] });
    await page.click('Decide…');
    await page.type('Secret with the kubeconfig', 'far-access');
    await page.submit();
    await page.click('Decide…');
    await page.type('Secret with the kubeconfig', 'other');
    await page.click('The certificate with that fingerprint');
    const fingerprint = page.control('dialog input[name=argument]');
    expect([fingerprint.value, fingerprint.required]).toEqual(['', true]);
    await page.click('The phase starts anew at once');
    expect(page.all('dialog input[name=argument]')).toHaveLength(0);
    await page.submit();
    expect(page.changes.map(({ body }) => body)).toEqual([
      { choice: 'SUPPLY_CREDENTIALS', run: 'run-2', argument: 'far-access' },
      { choice: 'RETRY', run: 'run-2' },
    ]);
  });

  it('says who was quicker, and lets the dialog stay', async () => {
    await shows({ flows: [stuck], change: new Status(409, { detail: 'bob decided RETRY at 12:00' }) });
    await page.click('Decide…');
    await page.submit();
    expect(page.one('dialog [role=alert]').textContent).toBe('Not decided: bob decided RETRY at 12:00.');
  });

  it('shows a paused phase as paused, with what may be decided', async () => {
    const paused = phase('Endpoint', { state: 'PAUSED', since: at(-60), message: 'by alice: night', choices: ['RESUME'] });
    await shows({ flows: [flow([paused])], values: { phase: 'Paused' } });
    expect(page.one('.standing').textContent).toContain('by alice: night');
    await page.click('Decide…');
    expect(page.one('dialog').textContent).toContain('Resume');
  });

  it('shows an import within the init that called it', async () => {
    const sentry = phase('Sentry', { state: 'WAITING', run: 'run-3', choices: ['RETRY'] });
    const called = flow([sentry], { id: 'f-2', kind: 'import', parent: 'f-1' });
    await shows({ flows: [called, flow([phase('Joined', { state: 'DONE' })])] });
    const outer = page.one('main section > .flow');
    expect(page.all('main section > .flow:not(.flow .flow)')).toHaveLength(1);
    expect(outer.getAttribute('aria-label')).toBe('Flow init of edge');
    expect(page.one('.flow .flow').getAttribute('aria-label')).toBe('Flow import of edge');
    expect(page.one('.flow .flow').textContent).toContain('a part of it');
    expect(page.all('.flow-head button').filter((one) => one.textContent.startsWith('Retry'))).toHaveLength(1);
  });

  it('folds away what is over', async () => {
    const old = flow([phase('Old', { state: 'DONE' })], { id: 'f-0', kind: 'import', state: 'COMPLETED', result: 'Imported' });
    await shows({ flows: [flow([phase('Joined', { state: 'WAITING' })]), old] });
    expect(page.all('.flow > details')).toHaveLength(1);
    expect(page.one('.flow > details').textContent).toContain('Old');
    expect(page.all('.diagram')).toHaveLength(1);
  });

  it('replaces the credentials of an imported cluster', async () => {
    const imported = flow([phase('Verified', { state: 'DONE' })], { kind: 'import', state: 'COMPLETED', result: 'Imported' });
    await shows({ flows: [imported], change: { flow: { id: 'f-9' } } });
    await page.click('Replace the credentials…');
    await page.type('Secret in demo', ' edge-new ');
    await page.submit();
    expect(page.changes).toEqual([
      { method: 'PUT', path: 'clusters/demo/edge/credentials', body: { secretName: 'edge-new' } },
    ]);
    expect(page.text).toContain('The import has started.');
  });

  it('tells who decided what', async () => {
    const decision = { id: 'd', choice: 'SKIP' as const, phase: 'EnsureSentry', by: 'alice', reason: 'not needed', at: at(-60) };
    await shows({ flows: [], decisions: [{ ...decision, state: 'REFUSED', result: 'Going on is unsafe' }] });
    const row = page.one('[aria-labelledby=trail] tbody tr').textContent;
    expect(row).toBe('1m agoaliceSkipEnsureSentrynot neededRefusedGoing on is unsafe');
  });

  it('diagnoses when asked, what is wrong first', async () => {
    await shows({ flows: [] });
    const answer = page.answer;
    const finding = { step: 4, title: 'Workload API', object: '10.0.0.1', sentence: 'refused', details: ['thrice'] };
    page.answer = (call) =>
      call.path.endsWith('/diagnosis')
        ? {
            takenAt: at(0),
            verdict: 'PROBLEM',
            signature: { name: 'API unreachable', advice: 'Look at the load balancer.' },
            findings: [
              { ...finding, verdict: 'OK' },
              { ...finding, verdict: 'PROBLEM', code: 'ConnectionRefused' },
            ],
          }
        : answer?.(call);
    await page.click('Diagnose now');
    expect(page.one('.findings .standing').textContent).toBe('API unreachable Look at the load balancer.');
    expect(page.one('.findings > ul').textContent).toContain('ConnectionRefused');
    expect(page.one('.findings details').textContent).toContain('Findings that are well: 1');
  });

  it('moves the token: a phase is picked in the list, and the dialog says what follows', async () => {
    await shows({ flows: [stuck] });
    expect(page.all('.pick')).toHaveLength(0);
    await page.click('Move the token…');
    expect(page.all('.pick').map((one) => one.textContent)).toEqual(['Start from here… Certificates', 'Start from here… Endpoint']);
    await page.click('Start from here… Certificates');
    expect(page.one('dialog .again').textContent).toBe(
      'Endpoint is left as it stands. These run once more: Certificates → Endpoint. What holds already is left as it is.',
    );
    await page.submit();
    expect(page.changes.map(({ body }) => body)).toEqual([{ choice: 'RETRY_FROM', run: 'run-1', from: 'EnsureCertificates' }]);
    expect(page.all('.pick')).toHaveLength(0);
  });

  it('offers no move where the phase does not allow it', async () => {
    await shows({ flows: [flow([phase('Endpoint', { state: 'WAITING', run: 'r', choices: ['RETRY'] })])] });
    expect(page.text).not.toContain('Move the token');
  });

  it('tells all runs, also repeated ones, and what takes longer than usual', async () => {
    const run = (title: string, number: number, values = {}) => ({
      phase: `Ensure${title}`, title, elementId: `phase_${title}`, run: `${title}${number}`, state: 'DONE', enteredAt: at(-200), leftAt: at(-190), attempts: 3, failures: 1, ...values,
    });
    const runs = [run('Certificates', 1), run('Certificates', 2), run('Endpoint', 1, { state: 'WAITING', leftAt: undefined, attempts: 7, reason: 'WaitingForEndpoint' })];
    const norm = { kind: 'init', title: '', elementId: '', count: 50, max: 99, attempts: 0, failures: 0, stuck: 0, running: 0 };
    await page.open(address, ({ path }) => {
      if (path === 'clusters/demo/edge') return { cluster: cluster('edge'), flows: [stuck] };
      if (path === 'flows/f-1/runs') return { items: runs };
      if (path.startsWith('statistics')) return { phases: [{ ...norm, phase: 'EnsureEndpoint', p50: 5, p95: 30 }], flows: [], retries: [], since: at(-9), bucket: 'P1D' };
      return undefined;
    });
    expect(page.one('.history summary').textContent).toBe('History: 3 runs of phases');
    const rows = page.all('.history tbody tr').map((row) => row.textContent);
    expect(rows[1]).toContain('Certificates (run 2)');
    expect(rows[2]).toContain('Waiting for endpoint');
    expect(page.one('.timeline').textContent).toContain('took 3s, 1 check, entered 2 times');
    expect(page.one('[aria-current=step]').textContent).toContain('longer than 19 of 20: usually 5s, at most 30s');
  });

  it("lists Kubernetes' Events and the work items of the cluster", async () => {
    await page.open(address, ({ path }) => {
      if (path === 'clusters/demo/edge') return { cluster: cluster('edge'), flows: [] };
      if (path === 'clusters/demo/edge/events') {
        return { items: [{ at: at(-30), type: 'Warning', reason: 'FailedCreate', message: 'quota', object: 'Machine/edge-0', count: 4 }] };
      }
      if (path.startsWith('work-items?namespace=demo&cluster=edge')) {
        return { items: [{ namespace: 'demo', name: 'edge-dns', uid: 'u', cluster: 'edge', phase: 'Installed', ready: true, deleting: false, flows: [] }] };
      }
      return undefined;
    });
    expect(page.one('[aria-labelledby=events] tbody').textContent).toBe('30s agoWarningFailedCreateMachine/edge-0quota4');
    expect(page.one('[aria-labelledby=items] tbody a').getAttribute('href')).toBe('#/work-items/demo/edge-dns');
  });
});
