import { useEffect, useRef, useState } from 'preact/hooks';
import { useAsking } from './asking';
import { until } from './format';
import { useNow } from './poll';
import { signOut, useSession } from './session';
import type { Session } from './session';
import { known, t } from './text';

/** Who is signed in, as what, until when; and the way out. */
export function UserMenu() {
  const session = useSession();
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  if (session === undefined) return null;
  return (
    <div
      ref={place}
      class="user"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        place.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="plain"
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <span class="hidden">{t('user.menu')} </span>
        {session.displayName ?? session.name}
        <span aria-hidden="true"> ▾</span>
      </button>
      {open ? <Panel session={session} /> : null}
    </div>
  );
}

function Panel({ session }: { session: Session }) {
  const { asked, ask } = useAsking();
  const now = useNow();
  const roles = session.roles.map((role) => known('role', role)).join(', ');

  function leave(): void {
    void ask(async () => {
      const next = await signOut();
      if (next !== undefined) location.assign(next);
      return '';
    });
  }

  return (
    <div class="user-panel">
      <dl>
        <div>
          <dt>{t('user.name')}</dt>
          <dd>{session.name}</dd>
        </div>
        <div>
          <dt>{t('user.roles')}</dt>
          <dd>{roles === '' ? t('user.noroles') : roles}</dd>
        </div>
        {session.expiresAt == null ? null : (
          <div>
            <dt>{t('user.ends')}</dt>
            <dd>{until(session.expiresAt, now)}</dd>
          </div>
        )}
      </dl>
      {session.via === 'session' || session.via === 'oidc' ? (
        <button type="button" class="plain" disabled={asked.state === 'asking'} onClick={leave}>
          {t('user.leave')}
        </button>
      ) : (
        <p class="quiet small">{t('user.stays')}</p>
      )}
      <p role="alert" class="bad">
        {asked.state === 'refused' ? asked.text : null}
      </p>
    </div>
  );
}
