// What pages have in common.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { age } from './format';
import { ApiError } from './http';
import type { StreamState } from './live';
import { Mark } from './mark';
import { t } from './text';

/** The heading of a page: the title of the window, and where the focus goes when somebody comes here from another page. */
export function Heading({ title, id, children }: { title: string; id?: string; children?: ComponentChildren }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
  useEffect(() => {
    if (arrived) place.current?.focus();
    arrived = true;
  }, []);
  return (
    <h1 ref={place} id={id} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}

/** The heading of the page of an object: its namespace, which matters less, and its name. */
export function ObjectHeading({ namespace, name }: { namespace: string; name: string }) {
  return (
    <Heading title={`${namespace}/${name}`}>
      <span class="quiet">{namespace}/</span>
      {name}
    </Heading>
  );
}

/** The first page of a visit takes no focus from the browser. */
let arrived = false;

interface ConnectionProps {
  error: Error | undefined;
  confirmedAt: number | undefined;
  stream: StreamState;
  now: number;
}

/** Whether what is seen is what is: told as it happens, asked for again and again, or old. */
export function Connection({ error, confirmedAt, stream, now }: ConnectionProps) {
  if (confirmedAt === undefined) return null;
  const old = { age: age(new Date(confirmedAt).toISOString(), now) };
  return (
    <p class="connection" role="status">
      {error === undefined ? null : (
        <Mark mood="stuck" text={t(error instanceof ApiError && error.status === 401 ? 'live.nobody' : 'live.off', old)} />
      )}
      {error === undefined && stream === 'waiting' ? <Mark mood="retrying" text={t('live.waiting')} /> : null}
      {error === undefined && stream !== 'waiting' ? <Mark mood="done" text={t('live.on')} /> : null}
    </p>
  );
}

interface FirstLookProps {
  error: Error | undefined;
  onRetry: () => void;
}

/** As long as nothing has been read yet. */
export function FirstLook({ error, onRetry }: FirstLookProps) {
  if (error === undefined) {
    return (
      <p class="empty" role="status">
        {t('load.slow')}
      </p>
    );
  }
  return (
    <div class="empty" role="alert">
      <p>
        <strong>{t('load.failed')}</strong>
      </p>
      <p>{error.message}</p>
      <button type="button" onClick={onRetry}>
        {t('load.again')}
      </button>
    </div>
  );
}
