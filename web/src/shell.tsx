// What pages have in common.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { age } from './format';
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

/** The first page of a visit takes no focus from the browser. */
let arrived = false;

/** A table that may be wider than the screen: it can be scrolled without a mouse. */
export function Scroll({ labelledby, children }: { labelledby: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-labelledby={labelledby}>
      {children}
    </div>
  );
}

interface ConnectionProps {
  error: Error | undefined;
  confirmedAt: number | undefined;
  now: number;
}

export function Connection({ error, confirmedAt, now }: ConnectionProps) {
  if (confirmedAt === undefined) return null;
  return (
    <p class="connection" role="status">
      {error === undefined ? (
        <Mark mood="done" text={t('live.on')} />
      ) : (
        <Mark mood="stuck" text={t('live.off', { age: age(new Date(confirmedAt).toISOString(), now) })} />
      )}
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
