// Who is signed in and what they may do. The server decides; the console shows it and explains.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiError, apiUrl, attach, callDeadline, problem, read, send, signedInEvent } from './http';
import { t } from './text';
import type { Key } from './text';

export type Action = 'READ' | 'CREATE' | 'OPERATE' | 'DELETE' | 'DEPLOY' | 'ADMIN';

export interface Session {
  name: string;
  displayName?: string | null;
  roles: string[];
  actions: Action[];
  via: 'session' | 'oidc' | 'basic' | 'kubernetes';
  csrf?: { header: string; token: string } | null;
  expiresAt?: string | null;
}

/** How one may sign in here. */
export interface SignInWays {
  password: boolean;
  providers: { id: string; title: string; href: string }[];
}

/** Ended: somebody was signed in, and their page is still there. */
export type Signed =
  | { state: 'unknown'; error?: Error }
  | { state: 'nobody' }
  | { state: 'in' | 'ended'; session: Session };

let signed: Signed = { state: 'unknown' };
const listeners = new Set<(signed: Signed) => void>();

function become(next: Signed): void {
  signed = next;
  listeners.forEach((listener) => {
    listener(next);
  });
}

/** Asks the server who is signed in. */
export async function readSession(): Promise<void> {
  try {
    become({ state: 'in', session: await read<Session>(apiUrl('session')) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) ended();
    else if (signed.state === 'unknown') become({ state: 'unknown', error: error as Error });
  }
}

function ended(): void {
  if (signed.state === 'in') become({ state: 'ended', session: signed.session });
  else if (signed.state === 'unknown') become({ state: 'nobody' });
}

/** Signs in with name and password. A wrong one is no end of a session: this call goes its own way. */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await fetch(apiUrl('session'), {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password }),
    signal: AbortSignal.timeout(callDeadline),
  }).catch((error: unknown) => {
    throw new ApiError(0, t('error.unreachable'), { cause: error });
  });
  if (!response.ok) throw await problem(response);
  become({ state: 'in', session: (await response.json()) as Session });
  window.dispatchEvent(new Event(signedInEvent));
}

/** Signs out; says where the browser must go on, if the provider wants to know of it. */
export async function signOut(): Promise<string | undefined> {
  const response = await send({ method: 'DELETE', url: apiUrl('session') });
  become({ state: 'nobody' });
  return response.headers.get('Location') ?? undefined;
}

export function waysToSignIn(signal: AbortSignal): Promise<SignInWays> {
  return read(apiUrl('sign-in'), signal);
}

/** As a page begins: nobody has been asked yet. */
export function forgetSession(): void {
  become({ state: 'unknown' });
}

/** Who is signed in, from the first answer on. */
export function useSigned(): Signed {
  const [state, setState] = useState(signed);
  useEffect(() => {
    listeners.add(setState);
    attach({
      csrf: () => (signed.state === 'in' ? signed.session.csrf : undefined),
      renew: readSession,
      ended,
    });
    void readSession();
    return () => {
      listeners.delete(setState);
      attach(undefined);
    };
  }, []);
  return state;
}

/** What is signed in, for all that is shown below. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session | undefined {
  return useContext(SessionContext);
}

const needed: Record<Action, Key> = {
  READ: 'role.viewer',
  CREATE: 'role.operator',
  OPERATE: 'role.operator',
  DELETE: 'role.operator',
  DEPLOY: 'role.designer',
  ADMIN: 'role.admin',
};

/** Why somebody may not do something; undefined if they may. */
export function useBar(action: Action): string | undefined {
  const session = useSession();
  if (session === undefined || session.actions.includes(action)) return undefined;
  return t('role.needs', { role: t(needed[action]) });
}
