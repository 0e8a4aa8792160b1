// What the console reads from Slipway's REST API, and how. The server leaves out what it does not know.
import { apiUrl, read, readText, send, withQuery } from './http';

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

/** A part of a list, and how long the whole is. */
export interface Page<T> {
  items: T[];
  total: number;
  offset: number;
  limit: number;
}

export interface ClusterList extends Page<ClusterView> {
  /** How many there are of each state, of those that match all but the wanted state. */
  counts: Record<string, number>;
  /** What is missing and why. */
  warning?: string | null;
}

/** What has flows and can be decided about. */
export interface Subject {
  kind: 'clusters' | 'work-items';
  namespace: string;
  name: string;
}

export interface WorkItemView {
  namespace: string;
  name: string;
  uid: string;
  cluster: string;
  /** None for manifests. */
  chart?: string | null;
  phase: string;
  ready: boolean;
  deleting: boolean;
  createdAt?: string | null;
  release?: { name?: string; chart?: string; version?: string; revision?: number } | null;
  conditions?: ConditionView[] | null;
  flows: FlowView[];
}

/** An Event of Kubernetes about one of a cluster's objects. */
export interface EventView {
  at: string;
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  object: string;
  count: number;
  source?: string | null;
}

/** One run of a phase: a phase that is entered again has several. */
export interface RunView {
  phase: string;
  title: string;
  elementId: string;
  run: string;
  state: PhaseState;
  enteredAt: string;
  leftAt?: string | null;
  attempts: number;
  failures: number;
  reason?: string | null;
  message?: string | null;
  errorCode?: string | null;
}

/** One line of the book of who did what. */
export interface AuditView {
  id: string;
  at: string;
  by: string;
  via: string;
  action: string;
  /** More closely: the flow's kind, the choice. */
  what?: string | null;
  object?: string | null;
  namespace?: string | null;
  name?: string | null;
  phase?: string | null;
  flow?: string | null;
  reason?: string | null;
  result: string;
  message?: string | null;
  address?: string | null;
}

/** How long a phase takes in the fleet; times in seconds. */
export interface PhaseStatistics {
  kind: string;
  phase: string;
  title: string;
  elementId: string;
  count: number;
  p50?: number | null;
  p95?: number | null;
  max?: number | null;
  attempts: number;
  failures: number;
  stuck: number;
  running: number;
}

export interface Statistics {
  since: string;
  flows: { kind: string; state: FlowState; result?: string | null; count: number }[];
  phases: PhaseStatistics[];
  /** Failed attempts by the time in which they were. */
  retries: { from: string; phase: string; kind: string; code: string; count: number }[];
  /** How long each part of the time is, ISO 8601. */
  bucket: string;
}

/** A ClusterClass, with what it wants to know. */
export interface ClusterClassView {
  namespace: string;
  name: string;
  variables: { name: string; required: boolean; schema?: VariableSchema | null }[];
  /** The names of its classes of workers. */
  workers?: string[] | null;
}

export interface VariableSchema {
  type?: string;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  pattern?: string;
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

/** Cockpit's page of a running flow. */
export function cockpitUrl(flowId: string): string {
  const page = new URL('camunda/app/cockpit/default/', document.baseURI).href;
  return `${page}#/process-instance/${encodeURIComponent(flowId)}`;
}

const lookDeadline = 40_000;
const diagnosisDeadline = 100_000;

/** The BPMN XML that a flow runs. */
export function diagramOf(flowId: string, signal: AbortSignal): Promise<string> {
  return readText(apiUrl('flows', flowId, 'diagram'), 'application/xml', signal);
}

/** Looks at everything around a cluster. */
export function diagnose(namespace: string, name: string): Promise<Diagnosis> {
  return read(apiUrl('clusters', namespace, name, 'diagnosis'), AbortSignal.timeout(diagnosisDeadline));
}

/** Starts the current phases of a cluster anew. */
export async function retry(namespace: string, name: string): Promise<void> {
  const url = apiUrl('clusters', namespace, name, 'retry');
  await send({ method: 'POST', url, body: { reason: 'Retried in the console' } });
}

/** Starts all phases anew that are stuck for one cause; says how many were, and how many somebody else was quicker about. */
export async function retryAll(phase: string, reason: string, why: string): Promise<{ applied: number; others: number }> {
  const body = why === '' ? { phase, reason } : { phase, reason, why };
  const response = await send({ method: 'POST', url: apiUrl('stuck', 'retry'), body, deadline: lookDeadline });
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
export async function decide(subject: Subject, wish: Wish): Promise<'applied' | 'recorded'> {
  const url = apiUrl(subject.kind, subject.namespace, subject.name, 'decisions');
  // The server may look at the phase first, which may take as long as a run of it.
  const response = await send({ method: 'POST', url, body: wish, deadline: lookDeadline });
  return response.status === 202 ? 'recorded' : 'applied';
}

/** Lets the import use the kubeconfig of another secret; says whether an import was started for it. */
export async function replaceCredentials(
  namespace: string,
  name: string,
  secretName: string,
): Promise<'started' | 'decided'> {
  const url = apiUrl('clusters', namespace, name, 'credentials');
  const response = await send({ method: 'PUT', url, body: { secretName } });
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
  return read(withQuery(apiUrl('clusters', namespace, name, 'deletion'), { mode }), signal);
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
export async function startDeletion(namespace: string, name: string, wish: DeletionWish, key: string): Promise<void> {
  const body = {
    flow: 'delete',
    confirm: wish.confirm,
    ...(wish.mode === '' ? {} : { mode: wish.mode }),
    ...(wish.reason === '' ? {} : { reason: wish.reason }),
    ...(wish.dryRun ? { dryRun: true } : {}),
  };
  await send({ method: 'POST', url: apiUrl('clusters', namespace, name, 'flows'), body, key });
}

/** Has the server say what is wrong with a WorkloadCluster, and make nothing of it; the answer has the defaults. */
export async function checkCluster(object: unknown): Promise<unknown> {
  const url = withQuery(apiUrl('clusters'), { dryRun: 'true' });
  return (await send({ method: 'POST', url, body: object, deadline: lookDeadline })).json();
}

/** Creates a WorkloadCluster. */
export async function createCluster(object: unknown, key: string): Promise<void> {
  await send({ method: 'POST', url: apiUrl('clusters'), body: object, deadline: lookDeadline, key });
}

/** Starts a flow of a work item. */
export async function startItemFlow(namespace: string, name: string, flow: string, key: string): Promise<void> {
  await send({ method: 'POST', url: apiUrl('work-items', namespace, name, 'flows'), body: { flow }, key });
}
