import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterView, FlowView } from './api';
import { App } from './app';
import { at, cluster, flow, noon, phase } from './samples';

describe('the page', () => {
  let place: HTMLElement;
  let items: ClusterView[] | undefined;
  let retries = 0;
  let refuseRetry = false;
  let warning: string | null = null;
  let decided: Record<string, unknown>[] = [];
  let refuseDecision = false;
  let called: FlowView[] = [];
  let replaced: string[] = [];

  beforeEach(() => {
    decided = [];
    called = [];
    replaced = [];
    refuseDecision = false;
    vi.useFakeTimers({ now: noon, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    place = document.createElement('div');
    document.body.replaceChildren(place);
    retries = 0;
    refuseRetry = false;
    warning = null;
    vi.stubGlobal('fetch', answer);
  });

  afterEach(() => {
    render(null, place);
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  function answer(url: string, init: RequestInit = {}): Promise<Response> {
    if (items === undefined) return Promise.reject(new Error('connection refused'));
    if (init.method === 'POST') {
      if (url.endsWith('/decisions')) {
        decided.push(JSON.parse(init.body as string) as Record<string, unknown>);
        return Promise.resolve(
          refuseDecision ? Response.json({ detail: 'bob decided RETRY at 12:00' }, { status: 409 }) : Response.json({}),
        );
      }
      retries += 1;
      return Promise.resolve(
        refuseRetry ? Response.json({ detail: 'No flow is active' }, { status: 409 }) : Response.json({}, { status: 202 }),
      );
    }
    if (init.method === 'PUT') {
      replaced.push(`${url.split('/api/v1/')[1]} ${init.body as string}`);
      return Promise.resolve(Response.json({ flow: { id: 'f-9' } }, { status: 202 }));
    }
    const one = items.find((item) => url.endsWith(`/${item.namespace}/${item.name}`));
    return Promise.resolve(Response.json(one === undefined ? list(items) : { cluster: one, flows: flowsOf(one) }));
  }

  function flowsOf(one: ClusterView) {
    return one.flow == null ? [] : [...called, one.flow];
  }

  /** In a list, flows have their current phases only. */
  function list(all: ClusterView[]) {
    const summary = (one: FlowView) => ({ ...one, phases: one.phases.filter((step) => step.state === 'WAITING') });
    return { items: all.map((one) => (one.flow == null ? one : { ...one, flow: summary(one.flow) })), warning };
  }

  async function show(clusters: ClusterView[] | undefined): Promise<void> {
    items = clusters;
    await act(() => {
      render(<App />, place);
    });
    await wait(0);
  }

  async function wait(milliseconds: number): Promise<void> {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(milliseconds);
    });
    await act(() => new Promise((resolve) => setImmediate(resolve)));
  }

  async function click(text: string): Promise<void> {
    const button = [...place.querySelectorAll('button')].find((candidate) => candidate.textContent.includes(text));
    if (button === undefined) throw new Error(`There is no button ${text}.`);
    await act(() => {
      button.click();
    });
    await wait(0);
  }

  async function choose(value: string): Promise<void> {
    const select = place.querySelector('form select');
    if (!(select instanceof HTMLSelectElement)) throw new Error('There is no list of choices.');
    select.value = value;
    await act(() => {
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }

  async function type(label: string, text: string): Promise<void> {
    const input = place.querySelector<HTMLInputElement>(`input[aria-label^="${label}"]`);
    if (input === null) throw new Error(`There is no field ${label}.`);
    input.value = text;
    await act(() => {
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }

  const stuck = cluster('edge', {
    phase: 'Stuck',
    flow: flow([
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
    ]),
  });

  it('tells what each cluster waits for', async () => {
    await show([stuck]);
    const row = place.querySelector('tbody tr')?.textContent ?? '';
    for (const text of ['demo/edge', 'Stuck', 'Endpoint', '1 of 3', 'Waiting for endpoint', 'refuses', '2m', '7', 'in 9s']) {
      expect(row).toContain(text);
    }
    expect(place.textContent).toContain('Live');
  });

  it('opens the phases of a cluster, with the last error and what can be done', async () => {
    await show([stuck]);
    const opener = place.querySelector('.opener');
    expect(opener?.getAttribute('aria-expanded')).toBe('false');
    await click('edge');
    expect(opener?.getAttribute('aria-expanded')).toBe('true');
    const steps = [...place.querySelectorAll('.timeline > li')].map((step) => step.textContent);
    expect(steps).toHaveLength(3);
    expect(steps[0]).toContain('took 3s, 1 run');
    expect(steps[1]).toContain('ConnectRefused: connect to 10.0.0.1:6443: refused');
    expect(steps[1]).toContain('Look at the load balancer');
    expect(steps[2]).toContain('Not reached');
    expect(place.querySelector('a')?.href).toMatch(/#\/process-instance\/f-1$/);
  });

  it('retries, and says so', async () => {
    await show([stuck]);
    await click('edge');
    await click('Retry');
    expect(retries).toBe(1);
    expect(place.textContent).toContain('Started anew.');
  });

  it("shows the server's reason when a retry is refused", async () => {
    refuseRetry = true;
    await show([stuck]);
    await click('edge');
    await click('Retry');
    expect(place.textContent).toContain('Not retried: No flow is active.');
  });

  it('names the cause where something else came last', async () => {
    await show([stuck]);
    await click('edge');
    expect(place.textContent).toContain('No route to host: nothing answers at 10.0.0.1');
  });

  it('offers what the phase allows and decides about the run that was seen', async () => {
    await show([stuck]);
    await click('edge');
    expect([...place.querySelectorAll('option')].map((option) => option.value)).toEqual(stuck.flow?.phases[1]?.choices);
    await choose('RETRY_FROM');
    await click('Decide');
    await choose('WAIT_MORE');
    await type('How long', 'PT2H');
    await type('Why', 'power cut');
    await click('Decide');
    expect(decided).toEqual([
      { choice: 'RETRY_FROM', run: 'run-1', from: 'EnsureCertificates' },
      { choice: 'WAIT_MORE', run: 'run-1', duration: 'PT2H', reason: 'power cut' },
    ]);
    expect(place.textContent).toContain('Decided.');
  });

  it('asks what a choice is about, and sends it with no other choice', async () => {
    const lost = phase('Reachable', {
      state: 'BLOCKED',
      stuck: true,
      run: 'run-2',
      choices: ['SUPPLY_CREDENTIALS', 'ACCEPT_CA', 'RETRY'],
    });
    await show([cluster('far', { phase: 'Stuck', flow: flow([lost], { kind: 'import' }) })]);
    await click('far');
    await type('Secret with the kubeconfig', 'far-access');
    await click('Decide');
    await choose('ACCEPT_CA');
    const fingerprint = place.querySelector<HTMLInputElement>('input[aria-label^="SHA-256"]');
    expect(fingerprint?.value).toBe('');
    expect(fingerprint?.required).toBe(true);
    expect(place.querySelector<HTMLInputElement>('input[aria-label=Why]')?.required).toBe(true);
    await choose('RETRY');
    expect(place.querySelector('.argument')).toBeNull();
    await click('Decide');
    expect(decided).toEqual([
      { choice: 'SUPPLY_CREDENTIALS', run: 'run-2', argument: 'far-access' },
      { choice: 'RETRY', run: 'run-2' },
    ]);
  });

  it('shows an import within the init that called it', async () => {
    called = [
      flow([phase('Sentry', { state: 'WAITING', run: 'run-3', choices: ['RETRY'] })], { id: 'f-2', kind: 'import', parent: 'f-1' }),
    ];
    await show([cluster('new', { flow: flow([phase('Joined', { state: 'DONE' })]) })]);
    await click('new');
    const outer = place.querySelector('.details > .flow');
    expect(place.querySelectorAll('.details > .flow')).toHaveLength(1);
    expect(outer?.getAttribute('aria-label')).toBe('Flow init of new');
    expect(outer?.querySelector('.flow')?.getAttribute('aria-label')).toBe('Flow import of new');
    expect(outer?.querySelector('.flow')?.textContent).toContain('a part of it');
    expect([...place.querySelectorAll('button')].filter((one) => one.textContent.startsWith('Retry'))).toHaveLength(1);
  });

  it('replaces the credentials of an imported cluster', async () => {
    const imported = flow([phase('Verified', { state: 'DONE' })], { kind: 'import', state: 'COMPLETED', result: 'Imported' });
    await show([cluster('edge', { phase: 'Ready', origin: 'Cluster', flow: imported })]);
    expect(place.querySelector('tbody tr')?.textContent).toContain('imported only');
    await click('edge');
    const input = place.querySelector<HTMLInputElement>('.credentials input');
    if (input === null) throw new Error('There is no field for the secret.');
    input.value = ' edge-new ';
    await act(() => {
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await click('Replace');
    expect(replaced).toEqual(['clusters/demo/edge/credentials {"secretName":"edge-new"}']);
    expect(place.textContent).toContain('The import has started.');
  });

  it('asks for a reason before it lets somebody skip', async () => {
    await show([stuck]);
    await click('edge');
    await choose('SKIP');
    expect(place.querySelector<HTMLInputElement>('input[aria-label=Why]')?.required).toBe(true);
  });

  it('says who was quicker', async () => {
    refuseDecision = true;
    await show([stuck]);
    await click('edge');
    await click('Decide');
    expect(place.textContent).toContain('Not decided: bob decided RETRY at 12:00.');
  });

  it('shows a paused phase as paused, with what may be decided', async () => {
    const paused = phase('Endpoint', { state: 'PAUSED', since: at(-60), message: 'by alice: night', choices: ['RESUME'] });
    await show([cluster('held', { phase: 'Paused', flow: flow([paused]) })]);
    await click('held');
    const step = place.querySelector('.timeline > li')?.textContent ?? '';
    for (const text of ['Paused', 'by alice: night', 'Resume']) expect(step).toContain(text);
  });

  it('explains an empty list', async () => {
    await show([]);
    expect(place.textContent).toContain('There are no clusters yet.');
  });

  it('explains that nothing could be read, and tries again when asked', async () => {
    await show(undefined);
    expect(place.querySelector('[role=alert]')?.textContent).toContain('Slipway does not answer.');
    items = [stuck];
    await click('Try again');
    expect(place.textContent).toContain('demo/edge');
  });

  it('keeps what it read when the connection is lost, and says how old it is', async () => {
    await show([stuck]);
    items = undefined;
    await wait(5_000);
    expect(place.textContent).toContain('demo/edge');
    expect(place.querySelector('header')?.textContent).toContain('Not connected: what you see is 5s old.');
    items = [stuck];
    await wait(8_000);
    expect(place.querySelector('header')?.textContent).toContain('Live');
  });

  it('shows what is missing while the management cluster does not answer', async () => {
    warning = 'The management cluster does not answer.';
    await show([stuck]);
    expect(place.querySelector('.notice')?.textContent).toBe(warning);
    expect(place.textContent).toContain('demo/edge');
  });

  it('says that no flow has started', async () => {
    await show([cluster('new', { phase: 'Pending' })]);
    await click('new');
    expect(place.textContent).toContain('No flow has started for this cluster yet.');
  });

  it('says how a flow ended', async () => {
    await show([cluster('done', { phase: 'Ready', flow: flow([], { state: 'COMPLETED', result: 'Ready', endedAt: at(-60) }) })]);
    expect(place.querySelector('tbody tr')?.textContent).toContain('initReady1m');
  });
});
