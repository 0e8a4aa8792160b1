import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, cluster, flow, phase } from './samples';
import { Console, Stream, listed } from './testing';

describe('the stream of events', () => {
  const page = new Console();
  let asked: string[] = [];

  beforeEach(() => {
    vi.stubGlobal('EventSource', Stream);
    asked = [];
  });

  const waiting = (attempt: number) =>
    cluster('edge', { flow: flow([phase('Endpoint', { state: 'WAITING', attempt, since: at(-60), reason: 'WaitingForEndpoint' })]) });

  function shows(attempt: number, hash = '#/') {
    return page.open(hash, ({ path }) => {
      asked.push(path);
      return path.startsWith('clusters') ? { ...listed([waiting(attempt)]), counts: { Initializing: 1 } } : undefined;
    });
  }

  const stream = () => Stream.open[Stream.open.length - 1];
  const lists = () => asked.filter((path) => path.startsWith('clusters?')).length;

  async function tell(change: () => void): Promise<void> {
    await act(change);
    await page.wait(0);
  }

  it('is asked for the namespace that is shown', async () => {
    await shows(1, '#/?namespace=demo');
    expect(stream()?.url).toMatch(/api\/v1\/events\?namespace=demo$/);
  });

  it('puts what changed in its place at once, and reads the order soon after', async () => {
    await shows(1);
    await tell(() => stream()?.connect());
    const before = lists();
    await tell(() => stream()?.say('clusters', { changed: [waiting(7)], gone: [], counts: {} }));
    expect(page.one('.col-runs.number').textContent).toBe('7');
    await page.wait(600);
    expect(lists()).toBe(before + 1);
  });

  it('is enough: nothing is asked for every two seconds meanwhile', async () => {
    await shows(1);
    await tell(() => stream()?.connect());
    const before = lists();
    await page.wait(20_000);
    expect(lists()).toBe(before);
    expect(page.one('.connection').textContent).toBe('Live');
  });

  it('reads all again when it is told so', async () => {
    await shows(1);
    await tell(() => stream()?.connect());
    const before = lists();
    await tell(() => stream()?.say('reset', {}));
    await page.wait(600);
    expect(lists()).toBe(before + 1);
  });

  it('is made up for by asking while it is broken, and says so', async () => {
    await shows(1);
    await tell(() => stream()?.connect());
    await tell(() => stream()?.fail());
    expect(page.one('.connection').textContent).toContain('Reconnecting');
    const before = lists();
    await page.wait(6_000);
    expect(lists()).toBeGreaterThanOrEqual(before + 3);
    await tell(() => stream()?.connect());
    expect(page.one('.connection').textContent).toBe('Live');
  });

  it('is opened again after a refusal, later each time', async () => {
    await shows(1);
    const first = stream();
    await tell(() => first?.fail(true));
    await page.wait(2_000);
    const second = stream();
    expect(second).not.toBe(first);
    await tell(() => second?.fail(true));
    await page.wait(3_900);
    expect(stream()).toBe(second);
    await page.wait(200);
    expect(stream()).not.toBe(second);
  });

  it('holds no connection while the page is hidden, or another page is shown', async () => {
    await shows(1);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await tell(() => document.dispatchEvent(new Event('visibilitychange')));
    expect(Stream.open).toHaveLength(0);
    hidden.mockReturnValue(false);
    await tell(() => document.dispatchEvent(new Event('visibilitychange')));
    expect(Stream.open).toHaveLength(1);
    hidden.mockRestore();
    await tell(() => {
      location.hash = '#/elsewhere';
      window.dispatchEvent(new Event('hashchange'));
    });
    expect(Stream.open).toHaveLength(0);
  });
});
