import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, signedInEvent } from './http';
import { useStream } from './live';
import type { StreamState } from './live';
import { t } from './text';

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

/** While a stream of events says what changes: only in case that one was lost. */
const streamedPace: Pace = { interval: 30_000, slowest: 60_000 };

/** Of its time, at most this share is spent on loading: a large fleet is read less often. */
const loadingShare = 0.1;

/** Events come in crowds: what is read for them is read this long after the last time, at the earliest. */
const breath = 500;

export interface Polling {
  stop: () => void;
  /** Loads at once. */
  now: () => void;
  /** Loads as soon as it does no harm. */
  soon: () => void;
}

/**
 * Calls `load` at a pace, one call at a time: slower after each failure in a row and where loading takes long, not at all
 * while the page is hidden, at once when it is seen again or the network comes or goes.
 */
export function poll<T>(
  load: (signal: AbortSignal) => Promise<T>,
  onData: (data: T) => void,
  onError: (error: Error) => void,
  pace: Pace = livePace,
): Polling {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let failures = 0;
  let took = 0;
  let endedAt = 0;
  let awaited = 0;

  async function run(): Promise<void> {
    if (running) {
      again = true;
      return;
    }
    running = true;
    awaited = 0;
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
    endedAt = Date.now();
    if (ended.signal.aborted) return;
    if (again) {
      again = false;
      void run();
    } else if (awaited > 0) {
      soon();
    } else if (!document.hidden) {
      timer = setTimeout(() => void run(), delay());
    }
  }

  function delay(): number {
    const usual = Math.max(pace.interval, took / loadingShare);
    return Math.min(failures === 0 ? usual : pace.interval * 2 ** failures, pace.slowest);
  }

  function soon(): void {
    awaited += 1;
    if (running || document.hidden) return;
    clearTimeout(timer);
    const rest = endedAt + Math.min(Math.max(breath, took / loadingShare), pace.slowest) - Date.now();
    timer = setTimeout(() => void run(), Math.max(0, rest));
  }

  function visibilityChanged(): void {
    if (document.hidden) clearTimeout(timer);
    else void run();
  }

  /** The network is back, or gone: neither a stream that is still open tells, nor a call that nobody answers. */
  function networkChanged(): void {
    if (!navigator.onLine) onError(new ApiError(0, t('error.unreachable')));
    void run();
  }

  document.addEventListener('visibilitychange', visibilityChanged);
  window.addEventListener('online', networkChanged);
  window.addEventListener('offline', networkChanged);
  window.addEventListener(signedInEvent, networkChanged);
  void run();

  return {
    stop: () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', visibilityChanged);
      window.removeEventListener('online', networkChanged);
      window.removeEventListener('offline', networkChanged);
      window.removeEventListener(signedInEvent, networkChanged);
    },
    now: () => void run(),
    soon,
  };
}

export type Live<T> = Polled<T> & {
  stream: StreamState;
  reload: () => void;
  soon: () => void;
};

/**
 * Polls while the component is shown; what was read stays while errors come. Where a stream of events is open it reads when
 * one comes, and else only now and then.
 */
export function usePolled<T>(
  load: (signal: AbortSignal) => Promise<T>,
  pace: Pace = livePace,
  stream: StreamState = 'off',
): Live<T> {
  const [state, setState] = useState<Polled<T>>({ data: undefined, error: undefined, confirmedAt: undefined });
  const polling = useRef<Polling>(undefined);
  const current = stream === 'open' ? streamedPace : pace;
  useEffect(() => {
    const begun = poll(
      load,
      (data) => {
        setState({ data, error: undefined, confirmedAt: Date.now() });
      },
      (error) => {
        setState((before) => ({ ...before, error }));
      },
      current,
    );
    polling.current = begun;
    return begun.stop;
  }, [load, current]);
  const reload = useCallback(() => polling.current?.now(), []);
  const soon = useCallback(() => polling.current?.soon(), []);
  return { ...state, stream, reload, soon };
}

/** Polls, and reads anew when an event of the scope says that something changed. */
export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  scope: Record<string, string>,
  names: readonly string[],
): Live<T> {
  const soon = useRef<() => void>(() => undefined);
  const handler = () => {
    soon.current();
  };
  const stream = useStream(scope, Object.fromEntries([...names, 'reset'].map((name) => [name, handler])));
  const live = usePolled(load, livePace, stream);
  soon.current = live.soon;
  return live;
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
