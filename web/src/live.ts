// What changes is told by the server as it happens: a stream of events, as long as the page is seen.
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiUrl, signedInEvent, withQuery } from './http';

/** Off: there is no stream, and nobody tries; waiting: there is none yet, or none any more. */
export type StreamState = 'off' | 'waiting' | 'open';

/** What to do when an event comes, by its name. Every stream may say `reset`: read all again. */
export type Handlers = Record<string, (data: unknown) => void>;

const shortest = 2_000;
const longest = 60_000;

/**
 * Listens to the events of a scope until it is stopped. The browser connects again by itself after a break; after a refusal
 * this does, later each time. A page that is not seen holds no connection: a browser has few of them for one server.
 */
export function listen(
  scope: Record<string, string>,
  names: string[],
  onEvent: (name: string, data: unknown) => void,
  onState: (state: StreamState) => void,
): () => void {
  const url = withQuery(apiUrl('events'), scope);
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = shortest;

  function open(): void {
    clearTimeout(timer);
    source?.close();
    if (document.hidden) return;
    onState('waiting');
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener('open', () => {
      pause = shortest;
      onState('open');
    });
    opened.addEventListener('error', () => {
      onState('waiting');
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, longest);
    });
    for (const name of names) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        onEvent(name, parsed(event.data));
      });
    }
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function seen(): void {
    if (document.hidden) close();
    else open();
  }

  document.addEventListener('visibilitychange', seen);
  window.addEventListener(signedInEvent, open);
  // A page in the browser's store of pages to go back to holds none either.
  window.addEventListener('pagehide', close);
  open();
  return () => {
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener(signedInEvent, open);
    window.removeEventListener('pagehide', close);
    close();
  };
}

/** A comment or a broken line is no reason to lose the others. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Listens while the component is shown. */
export function useStream(scope: Record<string, string>, handlers: Handlers): StreamState {
  const supported = typeof EventSource !== 'undefined';
  const [state, setState] = useState<StreamState>(supported ? 'waiting' : 'off');
  const latest = useRef(handlers);
  latest.current = handlers;
  const key = JSON.stringify(scope);
  const names = Object.keys(handlers).sort().join(' ');
  useEffect(() => {
    if (!supported) return;
    return listen(scope, names.split(' '), (name, data) => latest.current[name]?.(data), setState);
  }, [key, names, supported]);
  return state;
}
