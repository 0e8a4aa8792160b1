import { useEffect, useRef, useState } from 'preact/hooks';

export interface Polled<T> {
  data: T | undefined;
  error: Error | undefined;
  /** When the data was last confirmed by the server. */
  confirmedAt: number | undefined;
}

export interface Pace {
  interval: number;
  slowest: number;
}

export const livePace: Pace = { interval: 2_000, slowest: 30_000 };

/** Of its time, at most this share is spent on loading: a large fleet is read less often. */
const loadingShare = 0.1;

/**
 * Calls `load` at a pace, one call at a time: slower after each failure in a row and where loading takes long, not at all
 * while the page is hidden, at once when it is seen again or the network is back.
 *
 * @returns functions to stop, and to load at once
 */
export function poll<T>(
  load: (signal: AbortSignal) => Promise<T>,
  onData: (data: T) => void,
  onError: (error: Error) => void,
  pace: Pace = livePace,
): { stop: () => void; now: () => void } {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let failures = 0;
  let took = 0;

  async function run(): Promise<void> {
    if (running) {
      again = true;
      return;
    }
    running = true;
    clearTimeout(timer);
    const begun = Date.now();
    try {
      const data = await load(ended.signal);
      failures = 0;
      took = Date.now() - begun;
      if (!ended.signal.aborted) onData(data);
    } catch (error) {
      failures += 1;
      if (!ended.signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
    }
    running = false;
    if (ended.signal.aborted) return;
    if (again) {
      again = false;
      void run();
    } else if (!document.hidden) {
      timer = setTimeout(() => void run(), delay());
    }
  }

  function delay(): number {
    const usual = Math.max(pace.interval, took / loadingShare);
    return Math.min(failures === 0 ? usual : pace.interval * 2 ** failures, pace.slowest);
  }

  function visibilityChanged(): void {
    if (document.hidden) clearTimeout(timer);
    else void run();
  }

  function online(): void {
    void run();
  }

  document.addEventListener('visibilitychange', visibilityChanged);
  window.addEventListener('online', online);
  void run();

  return {
    stop: () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', visibilityChanged);
      window.removeEventListener('online', online);
    },
    now: () => void run(),
  };
}

/** Polls while the component is shown; what was read stays while errors come. A new `load` starts afresh. */
export function usePolled<T>(
  load: (signal: AbortSignal) => Promise<T>,
  pace: Pace = livePace,
): Polled<T> & { reload: () => void } {
  const [state, setState] = useState<Polled<T>>({ data: undefined, error: undefined, confirmedAt: undefined });
  const now = useRef<() => void>(() => undefined);
  useEffect(() => {
    const polling = poll(
      load,
      (data) => {
        setState({ data, error: undefined, confirmedAt: Date.now() });
      },
      (error) => {
        setState((before) => ({ ...before, error }));
      },
      pace,
    );
    now.current = polling.now;
    return polling.stop;
  }, [load, pace]);
  return {
    ...state,
    reload: () => {
      now.current();
    },
  };
}

/** The time, once a second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return now;
}
