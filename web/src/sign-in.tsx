import { useEffect, useState } from 'preact/hooks';
import { useAsking } from './asking';
import { Dialog } from './dialog';
import { ApiError } from './http';
import { useNow } from './poll';
import { hrefOf, replaceHash } from './router';
import { Heading } from './shell';
import { readSession, signIn, waysToSignIn } from './session';
import type { Session, SignInWays } from './session';
import { t } from './text';

/** The page that somebody sees who is not signed in; where they wanted to go stays in the address. */
export function SignInPage() {
  return (
    <div class="sign-in card">
      <Heading title={t('sign-in.title')} />
      {/* The server sends the browser here when a provider did not vouch for somebody. */}
      {/[?&]error=provider(&|$)/.test(location.hash) ? (
        <p role="alert" class="bad">
          {t('sign-in.failed')}
        </p>
      ) : null}
      <SignInForm />
    </div>
  );
}

/** The session is over while its page is still there: nothing of it is lost. */
export function SignInAgain({ session }: { session: Session }) {
  return (
    <Dialog title={t('sign-in.again')} onClose={() => undefined}>
      <p>{t('sign-in.again.means', { name: session.displayName ?? session.name })}</p>
      <SignInForm name={session.via === 'session' ? session.name : ''} />
    </Dialog>
  );
}

function SignInForm({ name: known = '' }: { name?: string }) {
  const [name, setName] = useState(known);
  const [password, setPassword] = useState('');
  const [ways, setWays] = useState<SignInWays>({ password: true, providers: [] });
  const [waitUntil, setWaitUntil] = useState(0);
  const { asked, ask } = useAsking();
  const now = useNow();
  const rest = Math.ceil((waitUntil - now) / 1_000);

  useEffect(() => {
    const ended = new AbortController();
    // Without an answer there is still the form.
    waysToSignIn(ended.signal).then(setWays, () => undefined);
    return () => {
      ended.abort();
    };
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    await ask(async () => {
      try {
        await signIn(name.trim(), password);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429) setWaitUntil(Date.now() + 1_000 * (error.retryAfter ?? 30));
        if (error.status === 401) throw new Error(t('sign-in.wrong'), { cause: error });
        throw error;
      }
      return '';
    });
  }

  return (
    <>
      {ways.password ? (
        <form onSubmit={(event) => void submit(event)}>
          <label class="field">
            {t('sign-in.name')}
            <input
              name="username"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              required
              autofocus={known === ''}
              value={name}
              onInput={(event) => {
                setName(event.currentTarget.value);
              }}
            />
          </label>
          <label class="field">
            {t('sign-in.password')}
            <input
              type="password"
              name="password"
              autocomplete="current-password"
              required
              autofocus={known !== ''}
              value={password}
              onInput={(event) => {
                setPassword(event.currentTarget.value);
              }}
            />
          </label>
          <p role="alert" class="bad">
            {asked.state === 'refused' ? asked.text : null}
          </p>
          {rest > 0 ? <p class="quiet">{t('sign-in.wait', { seconds: rest })}</p> : null}
          <div class="row end">
            <button type="submit" disabled={asked.state === 'asking' || rest > 0}>
              {t('sign-in.do')}
            </button>
          </div>
        </form>
      ) : null}
      <Providers ways={ways} />
    </>
  );
}

/** Other places that know who somebody is. They send the browser back to the page where it is now. */
function Providers({ ways }: { ways: SignInWays }) {
  if (ways.providers.length === 0) return null;
  return (
    <div class="providers">
      {ways.password ? <p class="quiet">{t('sign-in.or')}</p> : null}
      {ways.providers.map(({ id, title, href }) => (
        <a key={id} class="button plain" href={href.replace(/^\//, '')} onClick={remember}>
          {t('sign-in.with', { provider: title })}
        </a>
      ))}
    </div>
  );
}

const backKey = 'slipway.back';

/** A provider sends the browser to the first page: where it was before is kept in this tab. */
function remember(): void {
  try {
    sessionStorage.setItem(backKey, location.hash);
  } catch {
    // Then the first page it is.
  }
}

/** Goes back to where somebody was before a provider asked them. */
export function goBack(): void {
  let back: string | null = null;
  try {
    back = sessionStorage.getItem(backKey);
    sessionStorage.removeItem(backKey);
  } catch {
    // Then the first page it is.
  }
  if (back !== null && /^#\/?$|^$/.test(location.hash)) replaceHash(back);
}

/**
 * Where to go after signing in: a place of this very server, or the first page. What stands in the address may come from
 * anybody.
 */
export function safeTarget(to: string): string {
  const first = hrefOf({ page: 'missing' });
  if (to.startsWith('#/')) return to;
  if (!to.startsWith('/')) return first;
  const target = new URL(to, location.origin);
  return target.origin === location.origin ? `${target.pathname}${target.search}${target.hash}` : first;
}

/** Somebody who is signed in has nothing to do on the page for that. */
export function SignedInAlready({ to }: { to: string }) {
  useEffect(() => {
    const target = safeTarget(to);
    if (target.startsWith('#')) replaceHash(target);
    else location.assign(target);
  }, [to]);
  return (
    <div class="empty">
      <Heading title={t('sign-in.done')} />
      <button type="button" onClick={() => void readSession()}>
        {t('load.again')}
      </button>
    </div>
  );
}
