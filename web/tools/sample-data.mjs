// A made-up fleet: what the sample server answers with.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bpmn = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bpmn');

/** The phases of a diagram, in the order of the file. */
export async function phasesOf(process) {
  const xml = await readFile(join(bpmn, `${process}.bpmn`), 'utf8');
  const found = [...xml.matchAll(/<bpmn:subProcess id="(phase_\w+)" name="([^"]+)"[\s\S]*?delegateExpression="\$\{(\w+)\}"/g)];
  const phases = found.map(([, elementId, title, bean]) => ({
    elementId,
    title,
    name: bean[0].toUpperCase() + bean.slice(1),
  }));
  return { xml, phases };
}

export function instant(secondsAgo) {
  return new Date(Date.now() - secondsAgo * 1_000).toISOString();
}

export const problems = [
  ['ApiUnreachable', 'connect to 10.20.30.40:6443: connection refused', 'Look at the load balancer in front of the control plane'],
  ['CaExpired', 'Secret edge-ca: the certificate ended on 2026-01-31', 'Replace the secret, then retry'],
  ['WaitingForControlPlane', 'Machine edge-cp-0 has no nodeRef', 'See the machine: kubectl describe machine edge-cp-0'],
];

/** How the phases of a flow stand when it has come so far. */
export function running(phases, at, state, problem) {
  return phases.map((phase, index) => {
    const base = { ...phase, stuck: false, attempt: 0, state: 'PENDING', actions: [], choices: [] };
    if (index < at) {
      const since = instant(900 - index * 60);
      const until = instant(900 - index * 60 - 3 - ((index * 17) % 50));
      return { ...base, state: 'DONE', attempt: 1 + (index % 4), since, until };
    }
    if (index > at) return base;
    const [reason, message, action] = problem;
    return {
      ...base,
      state,
      stuck: state === 'BLOCKED',
      attempt: 12,
      since: instant(400),
      lastCheck: instant(4),
      nextCheck: instant(-17),
      stuckAt: instant(-500),
      reason,
      message,
      actions: [action],
      run: `${phase.elementId}:run`,
      cause: state === 'BLOCKED' ? { code: reason, message } : undefined,
      choices: ['RETRY', 'RETRY_FROM', 'WAIT_MORE', 'MARK_DONE', 'SKIP', 'PAUSE', 'ABORT'],
    };
  });
}

export function cluster(index, init) {
  const sort = index % 25;
  const phase =
    index === 0 || sort === 7 ? 'Stuck' : sort === 3 ? 'Initializing' : sort === 11 ? 'Importing' : sort === 17 ? 'Paused' : 'Ready';
  const ended = phase === 'Ready';
  const state = { Stuck: 'BLOCKED', Paused: 'PAUSED' }[phase] ?? 'WAITING';
  const problem = phase === 'Stuck' ? problems[index % 2] : problems[2];
  const last = init.phases.length - 1;
  const at = ended ? init.phases.length : phase === 'Importing' ? last : 3 + (index % 6);
  const phases = running(init.phases, at, state, problem);
  // Its token is in the import that it called.
  if (phase === 'Importing') phases[last] = running(init.phases, 0, state, problem)[last];
  return {
    namespace: ['default', 'edge', 'prod', 'team-a'][index % 4],
    name: `cluster-${String(index).padStart(5, '0')}`,
    uid: `uid-${index}`,
    origin: index % 9 === 4 ? 'Cluster' : 'WorkloadCluster',
    version: 'v1.36.3',
    phase,
    ready: ended,
    stuck: phase === 'Stuck',
    created: instant(86_400 * (1 + (index % 90))),
    flow: {
      id: `flow-${index}`,
      kind: 'init',
      state: ended ? 'COMPLETED' : 'RUNNING',
      result: ended ? 'Ready' : undefined,
      startedBy: 'slipway',
      startedAt: instant(1_000),
      endedAt: ended ? instant(300) : undefined,
      done: phases.filter((one) => one.state === 'DONE').length,
      of: phases.length,
      phases,
    },
  };
}

export const diagnosis = {
  takenAt: instant(1),
  verdict: 'PROBLEM',
  signature: { name: 'API unreachable', advice: 'The workload API does not answer. Look at the load balancer first.' },
  findings: [
    { step: 1, title: 'Cluster API', object: 'cluster/c1', verdict: 'OK', sentence: 'Provisioned', details: [] },
    { step: 2, title: 'Machines and nodes', object: 'machine/c1-cp-0', verdict: 'WARNING', code: 'NoNode', sentence: 'has no nodeRef', details: [] },
    { step: 4, title: 'Workload API', object: '10.20.30.40:6443', verdict: 'PROBLEM', code: 'ConnectionRefused', sentence: 'TCP is refused', details: ['tried 3 times'] },
  ],
};
export const decisions = [
  { id: '1', flow: 'flow-0', phase: 'EnsureEndpoint', choice: 'WAIT_MORE', duration: 'PT2H', reason: 'Power cut in the data centre', override: false, by: 'alice', at: instant(7_200), state: 'APPLIED', result: 'Stuck again in 2 h' },
  { id: '2', flow: 'flow-0', phase: 'EnsureEndpoint', choice: 'SKIP', reason: 'Not needed here', override: false, by: 'bob', at: instant(9_000), state: 'REFUSED', result: 'Going on is unsafe' },
];

const item = (kind, action, owner, names, where = 'management') => ({ kind, where, action, owner, names });
export const preview = (mode) => ({
  mode: mode ?? 'Full',
  items: [
    item('WorkloadCluster', 'delete', 'Slipway', ['c1']),
    item('Machine', mode === 'Detach' ? 'keep' : 'delete', 'Cluster API', ['c1-cp-0', 'c1-cp-1', 'c1-cp-2', 'c1-md-0', 'c1-md-1', 'c1-md-2']),
    item('ClusterCredential', 'delete', 'Slipway', ['cc-c1'], 'platform'),
    item('Secret', 'keep', 'nobody', ['c1-ca']),
  ],
  warnings: mode === 'Forget' ? ['nobody looks after the machines any more'] : [],
});
export const receipt = {
  flow: 'flow-deleted', kind: 'delete', namespace: 'edge', name: 'old-one', uid: '0b3e0b0c-6f5b-4f6e-9d67-0f6f4ce0a001', mode: 'Full',
  startedBy: 'alice', reason: 'Replaced by new-one', startedAt: instant(9_000), closedAt: instant(8_000), result: 'Deleted',
  summary: '12 deleted, 1 left behind: Namespace cpaas-system', counts: { DELETED: 12, LEFT: 1 },
};
export const receiptDetails = {
  ...receipt,
  entries: [
    { what: 'Secret edge/old-one-kubeconfig', fate: 'DELETED', phase: 'EnsureGone', at: instant(8_100) },
    { what: 'Cluster edge/old-one', fate: 'DELETED', phase: 'EnsureClusterApiClusterGone', at: instant(8_200) },
    { what: 'Secret edge/old-one-ca', fate: 'KEPT', phase: 'EnsureGone', why: 'it was there before Slipway', at: instant(8_100) },
    { what: 'Namespace cpaas-system', fate: 'LEFT', phase: 'EnsureRemoteCleaned', why: 'The workload cluster does not answer', at: instant(8_600) },
  ],
  phases: [
    { phase: 'AdmitDeletion', state: 'DONE', seconds: 1 },
    { phase: 'EnsureRemoteCleaned', state: 'SKIPPED', reason: 'ApiUnreachable', seconds: 300 },
    { phase: 'EnsureClusterApiClusterGone', state: 'DONE', reason: 'WaitingForMachines', seconds: 412 },
  ],
  decisions: [{ choice: 'SKIP_REMOTE', phase: 'EnsureRemoteCleaned', by: 'bob', why: 'The site burnt down', state: 'APPLIED', at: instant(8_600) }],
};


/** The runs of a flow: one phase was entered twice, as after a decision to begin from there once more. */
export function runsOf(flow) {
  const entered = flow.phases.filter((one) => one.since !== undefined);
  const again = entered.length > 2 ? [entered[1], entered[2]] : [];
  const first = entered.slice(0, 3).map((one, index) => run(one, 1, 1_400 - index * 60, 40, index === 2 ? 'CANCELED' : 'DONE'));
  const second = again.map((one, index) => run(one, 2, 1_100 - index * 50, 45, 'DONE'));
  const rest = entered.slice(3).map((one) => ({
    ...run(one, 1, 0, 0, one.state),
    enteredAt: one.since,
    leftAt: one.until,
    attempts: one.attempt,
    failures: one.state === 'DONE' ? Math.floor(one.attempt / 3) : one.attempt - 2,
    reason: one.reason,
    message: one.message,
  }));
  return [...first, ...second, ...rest];
}

function run(phase, number, secondsAgo, took, state) {
  const { name, title, elementId } = phase;
  return {
    phase: name, title, elementId, run: `${elementId}:${number}`, state, enteredAt: instant(secondsAgo), leftAt: instant(secondsAgo - took),
    attempts: 2 + number, failures: number - 1, reason: state === 'CANCELED' ? 'RetryFrom' : 'Done',
  };
}

/** How long phases take in the fleet, and how often they failed. */
export function statistics(kinds, since) {
  const days = { P1D: 1, P7D: 7, P30D: 30, P90D: 90 }[since] ?? 7;
  const length = days <= 2 ? 3_600 : 86_400;
  const phases = Object.entries(kinds).flatMap(([kind, list]) =>
    list.map((phase, index) => ({
      kind, phase: phase.name, title: phase.title, elementId: phase.elementId,
      count: 240 - index * 7, p50: 4 + ((index * 13) % 40), p95: 20 + ((index * 37) % 160), max: 90 + ((index * 91) % 900),
      attempts: 900 - index * 30, failures: 12 + ((index * 17) % 60), stuck: index % 4 === 3 ? 2 : 0, running: index % 3,
    })),
  );
  const codes = ['ConnectionRefused', 'Conflict', 'TooManyRequests', 'Timeout'];
  const begin = Math.floor(Date.now() / 1_000 / length) * length;
  const retries = Array.from({ length: Math.floor((days * 86_400) / length) }, (_, index) => {
    const { kind, phase } = phases[index % phases.length];
    return { from: new Date((begin - index * length) * 1_000).toISOString(), phase, kind, code: codes[index % 4], count: 3 + ((index * 29) % 41) };
  });
  const flows = Object.keys(kinds).flatMap((kind) => [
    { kind, state: 'COMPLETED', result: { init: 'Ready', import: 'Imported', delete: 'Deleted' }[kind] ?? 'Installed', count: 212 },
    { kind, state: 'RUNNING', count: 9 },
    { kind, state: 'ABORTED', result: 'Aborted', count: 2 },
  ]);
  return { since: instant(days * 86_400), flows, phases, retries, bucket: length === 3_600 ? 'PT1H' : 'P1D' };
}

export const events = [
  { at: instant(12), type: 'Warning', reason: 'PhaseStuck', message: 'Endpoint is stuck: connection refused', object: 'WorkloadCluster/cluster-00000', count: 1, source: 'slipway' },
  { at: instant(75), type: 'Warning', reason: 'FailedCreate', message: 'Error creating machine: quota exceeded', object: 'Machine/cluster-00000-cp-0', count: 7, source: 'machine-controller' },
  { at: instant(410), type: 'Normal', reason: 'PhaseEntered', message: 'Endpoint', object: 'WorkloadCluster/cluster-00000', count: 1, source: 'slipway' },
];

/** Work items of the first clusters. */
export function workItems(fleet, install) {
  return fleet.slice(0, 40).flatMap((one, index) =>
    ['ingress', 'monitoring'].map((name, sort) => {
      const stuck = sort === 1 && index % 9 === 0;
      const phases = running(install, stuck ? 2 : install.length, 'BLOCKED', ['ChartNotFound', 'https://charts.example.test has no chart monitoring 9.9', 'Set a version that exists']);
      const flow = {
        id: `item-${index}-${sort}`, kind: 'work-item-install', state: stuck ? 'RUNNING' : 'COMPLETED', result: stuck ? undefined : 'Installed',
        startedBy: 'slipway', startedAt: instant(900), endedAt: stuck ? undefined : instant(600),
        done: phases.filter((step) => step.state === 'DONE').length, of: phases.length, phases,
      };
      return {
        namespace: one.namespace, name: `${one.name}-${name}`, uid: `item-${one.uid}-${name}`, cluster: one.name,
        chart: sort === 0 ? 'ingress-nginx' : undefined, phase: stuck ? 'Installing' : 'Installed', ready: !stuck, deleting: false,
        createdAt: instant(86_400 * (1 + (index % 20))), release: sort === 0 ? { name, version: '4.11.3' } : undefined, flows: [flow],
      };
    }),
  );
}

/** The book of who did what. */
export const audit = Array.from({ length: 180 }, (_, index) => {
  const sort = index % 6;
  const deed = [
    { action: 'DECIDE', what: 'RETRY', phase: 'EnsureEndpoint', reason: 'The load balancer is back', result: 'RECORDED', via: 'session', by: 'ada' },
    { action: 'START', what: 'init', result: 'OK', via: 'slipway', by: 'slipway' },
    { action: 'DECIDE', what: 'SKIP', phase: 'EnsureImported', reason: 'Not needed here', result: 'REFUSED', message: 'Going on is unsafe', via: 'annotation', by: 'bob' },
    { action: 'SIGN_IN', result: 'OK', via: 'oidc', by: 'carol' },
    { action: 'DELETE', what: 'delete', reason: 'Replaced by new-one', result: 'OK', via: 'basic', by: 'deploy-bot' },
    { action: 'REFUSAL', result: 'REFUSED', message: 'needs the role operator', via: 'session', by: 'victor' },
  ][sort];
  const subject = sort === 3 ? {} : { object: `WorkloadCluster edge/cluster-${String(index).padStart(5, '0')}`, namespace: 'edge', name: `cluster-${String(index).padStart(5, '0')}` };
  return { id: String(1_000 - index), at: instant(60 + index * 540), address: '192.0.2.7', ...deed, ...subject };
});

export const classes = [
  {
    namespace: 'default', name: 'sandbox', workers: ['default-worker', 'gpu-worker'],
    variables: [
      { name: 'flavour', required: true, schema: { type: 'string', enum: ['m1.small', 'm1.large'], description: 'The size of each machine' } },
      { name: 'imageRepository', required: false, schema: { type: 'string', default: 'registry.example.test' } },
      { name: 'auditing', required: false, schema: { type: 'boolean', default: false } },
    ],
  },
  { namespace: 'classes', name: 'metal', workers: ['rack'], variables: [] },
];

/** What the server would say about a WorkloadCluster. */
export function errorsOf(object) {
  const errors = [];
  const wrong = (field, message, remedy) => errors.push({ field, message, remedy });
  const { spec = {}, metadata = {} } = object;
  if (!/^v\d+\.\d+\.\d+/.test(spec.version ?? '')) {
    wrong('spec.version', "version must be 'v', major, minor and patch, like v1.36.3", 'Write it like v1.36.3');
  }
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(metadata.name ?? '')) {
    wrong('metadata.name', 'must be a DNS label', "Use lower-case letters, digits and '-'");
  }
  if (spec.topology !== undefined && !classes.some((one) => one.name === spec.topology.class)) {
    wrong('spec.topology.class', `there is no ClusterClass '${spec.topology.class}'`, 'Use one of the existing classes');
  }
  const replicas = spec.topology?.controlPlane?.replicas;
  if (replicas !== undefined && replicas % 2 !== 1) {
    wrong('spec.topology.controlPlane.replicas', 'replicas of the control plane must be odd, so that etcd keeps a majority', 'Use 1, 3 or 5');
  }
  return errors;
}

