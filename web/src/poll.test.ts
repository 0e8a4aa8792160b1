import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from './poll';

describe('polling', () => {
  const stops: (() => void)[] = [];
  let hidden = false;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  });

  afterEach(() => {
    stops.splice(0).forEach((stop) => {
      stop();
    });
    hidden = false;
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  function start(load: (signal: AbortSignal) => Promise<string>) {
    const data: string[] = [];
    const errors: string[] = [];
    const polling = poll(
      load,
      (text) => data.push(text),
      (error) => errors.push(error.message),
      { interval: 2_000, slowest: 30_000 },
    );
    stops.push(polling.stop);
    return { data, errors, ...polling };
  }

  it('loads at once and then every two seconds', async () => {
    const load = vi.fn(() => Promise.resolve('x'));
    const { data } = start(load);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(load).toHaveBeenCalledTimes(4);
    expect(data).toHaveLength(4);
  });

  it('slows down while it fails, up to the slowest pace, and is fast again after a success', async () => {
    let broken = true;
    const load = vi.fn(() => (broken ? Promise.reject(new Error('refused')) : Promise.resolve('x')));
    const { data, errors } = start(load);
    await vi.advanceTimersByTimeAsync(4_000 + 8_000 + 16_000 + 30_000 + 29_999);
    expect(errors).toHaveLength(5);
    broken = false;
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(data).toHaveLength(2);
  });

  it('says at once that the network is gone, though a call waits for its answer, and looks when it is back', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const load = vi.fn(() => new Promise<string>((resolve) => setTimeout(() => {
      resolve('x');
    }, 1_000)));
    const { errors } = start(load);
    await vi.advanceTimersByTimeAsync(500);
    window.dispatchEvent(new Event('offline'));
    expect(errors).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(load).toHaveBeenCalledTimes(2);
    online.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    expect(errors).toHaveLength(1);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('rests while the page is hidden and loads at once when it is seen again', async () => {
    const load = vi.fn(() => Promise.resolve('x'));
    start(load);
    await vi.advanceTimersByTimeAsync(0);
    hidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(1);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('never has two calls under way, but asks once more when asked meanwhile', async () => {
    let finish: (text: string) => void = () => undefined;
    const load = vi.fn(() => new Promise<string>((resolve) => (finish = resolve)));
    const { now } = start(load);
    now();
    now();
    expect(load).toHaveBeenCalledTimes(1);
    finish('x');
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads less often where loading takes long', async () => {
    const load = vi.fn(() => new Promise<string>((resolve) => setTimeout(() => { resolve('x'); }, 1_000)));
    start(load);
    await vi.advanceTimersByTimeAsync(1_000 + 9_999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('says nothing after it was stopped', async () => {
    let finish: (text: string) => void = () => undefined;
    const { data, stop } = start(() => new Promise<string>((resolve) => (finish = resolve)));
    stop();
    finish('late');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(data).toHaveLength(0);
  });
});
