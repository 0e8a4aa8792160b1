// What the page reads from Slipway's REST API, and how. The server leaves out what it does not know.

export type PhaseState = 'PENDING' | 'WAITING' | 'RETRYING' | 'BLOCKED' | 'PAUSED' | 'DONE' | 'SKIPPED' | 'CANCELED';
export type Choice =
  | 'RETRY'
  | 'RETRY_FROM'
  | 'WAIT_MORE'
  | 'MARK_DONE'
  | 'SKIP'
  | 'PAUSE'
  | 'RESUME'
  | 'ABORT'
  | 'SUPPLY_CREDENTIALS'
  | 'ACCEPT_CA'
  | 'REPLACE_IDENTITY'
  | 'TAKE_OVER_MARK'
  | 'RESET_IMPORT'
  | 'COLLECT_ORPHANS'
  | 'KEEP'
  | 'SKIP_REMOTE'
  | 'FORCE'
  | 'UNPAUSE';
export type FlowState = 'RUNNING' | 'COMPLETED' | 'INTERRUPTED' | 'ABORTED';

export interface PhaseView {
  name: string;
  title: string;
  elementId: string;
  state: PhaseState;
  stuck: boolean;
  attempt: number;
  since?: string | null;
  until?: string | null;
  reason?: string | null;
  message?: string | null;
  lastErrorCode?: string | null;
  lastError?: string | null;
  lastCheck?: string | null;
  nextCheck?: string | null;
  stuckAt?: string | null;
  actions: string[];
  /** This run of the phase, to decide about it. */
  run?: string | null;
  /** Why it is still here; never a mere conflict while something better is known. */
  cause?: { code: string; message: string } | null;
  /** What may be decided about it now. */
  choices?: Choice[] | null;
}

export interface FlowView {
  id: string;
  kind: string;
  state: FlowState;
  result?: string | null;
  startedBy: string;
  startedAt: string;
  endedAt?: string | null;
  /** What is wrong if it runs though nothing drives it. */
  incident?: string | null;
  /** The flow that called this one. */
  parent?: string | null;
  done: number;
  of: number;
  /** In a list the current phases, the worst first; else all phases in order. */
  phases: PhaseView[];
}

export interface ClusterView {
  namespace: string;
  name: string;
  uid: string;
  /** Cluster: one of Cluster API that Slipway only imports. */
  origin?: 'WorkloadCluster' | 'Cluster';
  phase: string;
  ready: boolean;
  stuck: boolean;
  /** The running flow, else the latest one. */
  flow?: FlowView | null;
}

export interface ClusterList {
  items: ClusterView[];
  /** What is missing and why. */
  warning?: string | null;
}

export interface ClusterDetails {
  cluster: ClusterView;
  /** The latest flow of each kind, newest first. */
  flows: FlowView[];
  warning?: string | null;
}

/** An answer that is not what was asked for, in words for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
  }
}

/** The address of an API resource, also where Slipway is served below a path. */
export function apiUrl(...segments: string[]): string {
  const path = ['api', 'v1', ...segments.map(encodeURIComponent)].join('/');
  return new URL(path, document.baseURI).href;
}

/** Cockpit's page of a running flow. */
export function cockpitUrl(flowId: string): string {
  const page = new URL('camunda/app/cockpit/default/', document.baseURI).href;
  return `${page}#/process-instance/${encodeURIComponent(flowId)}`;
}

const callDeadline = 10_000;
const lookDeadline = 40_000;

/**
 * Reads one resource again and again.
 *
 * The entity tag is kept by hand: answers are marked no-store, so that the browser would never ask conditionally.
 */
export function reader<T>(url: string): (signal: AbortSignal) => Promise<T> {
  let tag: string | null = null;
  let last: T | undefined;
  return async (signal) => {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (tag !== null && last !== undefined) headers['If-None-Match'] = tag;
    const deadline = AbortSignal.timeout(callDeadline);
    const response = await call(url, { headers, signal: AbortSignal.any([signal, deadline]) });
    if (response.status === 304 && last !== undefined) return last;
    if (!response.ok) throw await problem(response);
    last = (await response.json()) as T;
    tag = response.headers.get('ETag');
    return last;
  };
}

/** Starts the current phases of a cluster anew. */
export async function retry(namespace: string, name: string): Promise<void> {
  const response = await call(apiUrl('clusters', namespace, name, 'retry'), {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ reason: 'Retried on the clusters page' }),
    signal: AbortSignal.timeout(callDeadline),
  });
  if (!response.ok) throw await problem(response);
}

/** What somebody wants to happen with one run of a phase. */
export interface Wish {
  choice: Choice;
  run?: string;
  from?: string | undefined;
  duration?: string;
  reason?: string;
  override?: boolean;
  /** What the choice is about: a name, a fingerprint. */
  argument?: string;
}

/** Decides about a phase; says whether it holds already or is only recorded. */
export async function decide(namespace: string, name: string, wish: Wish): Promise<'applied' | 'recorded'> {
  const response = await call(apiUrl('clusters', namespace, name, 'decisions'), {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(wish),
    // The server may look at the phase first, which may take as long as a run of it.
    signal: AbortSignal.timeout(lookDeadline),
  });
  if (!response.ok) throw await problem(response);
  return response.status === 202 ? 'recorded' : 'applied';
}

/** Lets the import use the kubeconfig of another secret; says whether an import was started for it. */
export async function replaceCredentials(
  namespace: string,
  name: string,
  secretName: string,
): Promise<'started' | 'decided'> {
  const response = await call(apiUrl('clusters', namespace, name, 'credentials'), {
    method: 'PUT',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ secretName }),
    signal: AbortSignal.timeout(callDeadline),
  });
  if (!response.ok) throw await problem(response);
  const result = (await response.json()) as { flow?: unknown };
  return result.flow == null ? 'decided' : 'started';
}

/** Browsers word a refused connection each in their own way, and none for people. */
async function call(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new ApiError(0, 'Slipway does not answer.', { cause: error });
  }
}

async function problem(response: Response): Promise<ApiError> {
  return new ApiError(response.status, (await detail(response)) ?? meaning(response.status));
}

/** The sentences of a problem document (RFC 9457), if the answer is one: what is wrong, and what to do. */
async function detail(response: Response): Promise<string | undefined> {
  try {
    const body = (await response.json()) as Record<string, unknown>;
    const sentences = [body.detail ?? body.title, body.remedy].filter((text) => typeof text === 'string' && text !== '');
    return sentences.length === 0 ? undefined : sentences.map((text) => `${String(text).replace(/\.$/, '')}.`).join(' ');
  } catch {
    return undefined;
  }
}

function meaning(status: number): string {
  if (status === 401) return 'Not signed in. Reload the page and sign in.';
  if (status === 403) return 'This account may not do that. Ask for a role that may.';
  if (status === 404) return 'There is no such cluster any more.';
  return `Slipway answered with status ${status}.`;
}
