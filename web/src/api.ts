// What the console reads from Slipway's REST API, and how. The server leaves out what it does not know.
import { t } from './text';

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
  version?: string | null;
  created?: string | null;
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

export interface ConditionView {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string | null;
  message?: string | null;
  lastTransitionTime?: string | null;
}

export interface ClusterDetails {
  cluster: ClusterView;
  conditions?: ConditionView[];
  /** The latest flow of each kind, newest first. */
  flows: FlowView[];
  /** Of the latest deletion of a cluster of that name. */
  receipt?: ReceiptView | null;
  warning?: string | null;
}

export interface DecisionView {
  id: string;
  flow: string;
  run?: string | null;
  phase?: string | null;
  choice: Choice;
  from?: string | null;
  duration?: string | null;
  reason?: string | null;
  override: boolean;
  argument?: string | null;
  by: string;
  at: string;
  state: 'OPEN' | 'APPLIED' | 'REFUSED' | 'OVERTAKEN';
  result?: string | null;
}

export type Verdict = 'OK' | 'WARNING' | 'PROBLEM' | 'UNKNOWN';

export interface Finding {
  step: number;
  title: string;
  object: string;
  verdict: Verdict;
  code?: string | null;
  sentence: string;
  details: string[];
}

export interface Diagnosis {
  takenAt: string;
  verdict: Verdict;
  signature?: { name: string; advice: string } | null;
  findings: Finding[];
}

export interface StuckCluster {
  namespace: string;
  name: string;
  run: string;
  flow: string;
  escalatedAt: string;
}

export interface StuckGroup {
  flow: string;
  phase: string;
  reason: string;
  message: string;
  count: number;
  oldest: string;
  clusters: StuckCluster[];
}

export type DeletionMode = 'Full' | 'Detach' | 'Forget';

/** Objects of one kind that a deletion would meet. */
export interface PreviewItem {
  kind: string;
  where: string;
  action: string;
  owner: string;
  names: string[];
}

export interface DeletionPreview {
  mode: string;
  items: PreviewItem[];
  warnings: string[];
}

export type Fate = 'DELETED' | 'GONE' | 'LEFT' | 'KEPT' | 'SKIPPED' | 'RELEASED';

/** What a deletion did; its id is the flow's. */
export interface ReceiptView {
  flow: string;
  kind: string;
  namespace: string;
  name: string;
  uid: string;
  mode?: string | null;
  startedBy: string;
  reason?: string | null;
  startedAt: string;
  closedAt?: string | null;
  result?: string | null;
  summary: string;
  counts: Partial<Record<Fate, number>>;
}

export interface ReceiptDetails extends ReceiptView {
  entries: { what: string; fate: Fate; phase: string; why?: string | null; at: string }[];
  phases: { phase: string; state: string; reason?: string | null; seconds?: number | null }[];
  decisions: { choice: Choice; phase?: string | null; by: string; why?: string | null; state: DecisionView['state']; at: string }[];
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
const diagnosisDeadline = 100_000;

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

/** Reads one resource once. */
export async function read<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await call(url, { headers: { Accept: 'application/json' }, signal });
  if (!response.ok) throw await problem(response);
  return (await response.json()) as T;
}

/** The BPMN XML that a flow runs. */
export async function diagramOf(flowId: string, signal: AbortSignal): Promise<string> {
  const headers = { Accept: 'application/xml, application/problem+json' };
  const response = await call(apiUrl('flows', flowId, 'diagram'), { headers, signal });
  if (!response.ok) throw await problem(response);
  return response.text();
}

/** Looks at everything around a cluster. */
export function diagnose(namespace: string, name: string): Promise<Diagnosis> {
  return read(apiUrl('clusters', namespace, name, 'diagnosis'), AbortSignal.timeout(diagnosisDeadline));
}

/** Starts the current phases of a cluster anew. */
export async function retry(namespace: string, name: string): Promise<void> {
  await send('POST', apiUrl('clusters', namespace, name, 'retry'), { reason: 'Retried in the console' });
}

/** Starts all phases anew that are stuck for one cause; says how many were, and how many somebody else was quicker about. */
export async function retryAll(phase: string, reason: string, why: string): Promise<{ applied: number; others: number }> {
  const body = why === '' ? { phase, reason } : { phase, reason, why };
  const response = await send('POST', apiUrl('stuck', 'retry'), body, lookDeadline);
  const { items } = (await response.json()) as { items: DecisionView[] };
  const others = items.filter((one) => one.state === 'REFUSED' || one.state === 'OVERTAKEN').length;
  return { applied: items.length - others, others };
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
  // The server may look at the phase first, which may take as long as a run of it.
  const response = await send('POST', apiUrl('clusters', namespace, name, 'decisions'), wish, lookDeadline);
  return response.status === 202 ? 'recorded' : 'applied';
}

/** Lets the import use the kubeconfig of another secret; says whether an import was started for it. */
export async function replaceCredentials(
  namespace: string,
  name: string,
  secretName: string,
): Promise<'started' | 'decided'> {
  const response = await send('PUT', apiUrl('clusters', namespace, name, 'credentials'), { secretName });
  const result = (await response.json()) as { flow?: unknown };
  return result.flow == null ? 'decided' : 'started';
}

/** What a deletion would meet; without a mode by the cluster's policy. */
export function previewDeletion(
  namespace: string,
  name: string,
  mode: DeletionMode | '',
  signal: AbortSignal,
): Promise<DeletionPreview> {
  const query = mode === '' ? '' : `?mode=${mode}`;
  return read(`${apiUrl('clusters', namespace, name, 'deletion')}${query}`, signal);
}

/** How somebody wants a cluster deleted. */
export interface DeletionWish {
  mode: DeletionMode | '';
  /** The name, typed out. */
  confirm: string;
  reason: string;
  dryRun: boolean;
}

/** Starts the deletion of a cluster. */
export async function startDeletion(namespace: string, name: string, wish: DeletionWish): Promise<void> {
  await send('POST', apiUrl('clusters', namespace, name, 'flows'), {
    flow: 'delete',
    confirm: wish.confirm,
    ...(wish.mode === '' ? {} : { mode: wish.mode }),
    ...(wish.reason === '' ? {} : { reason: wish.reason }),
    ...(wish.dryRun ? { dryRun: true } : {}),
  });
}

async function send(method: 'POST' | 'PUT', url: string, body: unknown, deadline = callDeadline): Promise<Response> {
  const response = await call(url, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(deadline),
  });
  if (!response.ok) throw await problem(response);
  return response;
}

/** Browsers word a refused connection each in their own way, and none for people. */
async function call(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new ApiError(0, t('error.unreachable'), { cause: error });
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
  if (status === 401 || status === 403 || status === 404) return t(`error.${status}`);
  return t('error.status', { status: String(status) });
}

/** What somebody reads about a failure of any sort. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
