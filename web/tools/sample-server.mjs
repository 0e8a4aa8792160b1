// Serves dist/ as Slipway does, under the same content security policy, with a made-up fleet behind the API.
// For looking at the console without clusters:  node tools/sample-server.mjs [clusters] [port]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The phases of a diagram, in the order of the file. */
async function phasesOf(process) {
  const xml = await readFile(join(web, '..', 'bpmn', `${process}.bpmn`), 'utf8');
  const found = [...xml.matchAll(/<bpmn:subProcess id="(phase_\w+)" name="([^"]+)"[\s\S]*?delegateExpression="\$\{(\w+)\}"/g)];
  const phases = found.map(([, elementId, title, bean]) => ({
    elementId,
    title,
    name: bean[0].toUpperCase() + bean.slice(1),
  }));
  return { xml, phases };
}

function instant(secondsAgo) {
  return new Date(Date.now() - secondsAgo * 1_000).toISOString();
}

const problems = [
  ['ApiUnreachable', 'connect to 10.20.30.40:6443: connection refused', 'Look at the load balancer in front of the control plane'],
  ['CaExpired', 'Secret edge-ca: the certificate ended on 2026-01-31', 'Replace the secret, then retry'],
  ['WaitingForControlPlane', 'Machine edge-cp-0 has no nodeRef', 'See the machine: kubectl describe machine edge-cp-0'],
];

/** How the phases of a flow stand when it has come so far. */
function running(phases, at, state, problem) {
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

function cluster(index, init) {
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

/** A server with that many clusters; say close() when done. */
export async function serve(size, port = 0) {
  const init = await phasesOf('cluster-init');
  const imports = await phasesOf('cluster-import');
  const fleet = Array.from({ length: size }, (_, index) => cluster(index, init)).sort((a, b) => b.stuck - a.stuck);
  const current = (flow) => ({ ...flow, phases: flow.phases.filter((one) => one.run !== undefined) });
  const list = JSON.stringify({ items: fleet.map((one) => ({ ...one, flow: current(one.flow) })) });

  function details(namespace, name) {
    const found = fleet.find((one) => one.namespace === namespace && one.name === name);
    if (found === undefined) return undefined;
    const phases = running(imports.phases, 2, 'WAITING', problems[2]);
    const called = { ...found.flow, id: `${found.flow.id}-import`, kind: 'import', parent: found.flow.id, phases };
    const flows = found.phase === 'Importing' ? [{ ...called, done: 2, of: phases.length }, found.flow] : [found.flow];
    const truth = (value) => (value ? 'True' : 'False');
    const conditions = [
      { type: 'Ready', status: truth(found.ready), reason: found.ready ? 'Ready' : 'FlowRunning', message: 'All phases hold' },
      { type: 'Stuck', status: truth(found.stuck), reason: found.stuck ? problems[0][0] : 'NotStuck', message: '' },
    ].map((one) => ({ ...one, lastTransitionTime: instant(400) }));
    return { cluster: { ...found, flow: current(found.flow) }, conditions, flows };
  }

  function stuck() {
    const groups = new Map();
    for (const one of fleet.filter((item) => item.stuck)) {
      const phase = one.flow.phases.find((step) => step.run !== undefined);
      const key = `${phase.name} ${phase.reason}`;
      const group = groups.get(key) ?? {
        flow: 'init', phase: phase.name, reason: phase.reason, message: phase.message, oldest: instant(4_000), clusters: [],
      };
      group.clusters.push({ namespace: one.namespace, name: one.name, run: `${one.uid}-run`, flow: one.flow.id, escalatedAt: instant(400) });
      groups.set(key, group);
    }
    const items = [...groups.values()].map((group) => ({ ...group, count: group.clusters.length }));
    return { items: items.sort((a, b) => b.count - a.count) };
  }

  const diagnosis = {
    takenAt: instant(1),
    verdict: 'PROBLEM',
    signature: { name: 'API unreachable', advice: 'The workload API does not answer. Look at the load balancer first.' },
    findings: [
      { step: 1, title: 'Cluster API', object: 'cluster/c1', verdict: 'OK', sentence: 'Provisioned', details: [] },
      { step: 2, title: 'Machines and nodes', object: 'machine/c1-cp-0', verdict: 'WARNING', code: 'NoNode', sentence: 'has no nodeRef', details: [] },
      { step: 4, title: 'Workload API', object: '10.20.30.40:6443', verdict: 'PROBLEM', code: 'ConnectionRefused', sentence: 'TCP is refused', details: ['tried 3 times'] },
    ],
  };
  const decisions = [
    { id: '1', flow: 'flow-0', phase: 'EnsureEndpoint', choice: 'WAIT_MORE', duration: 'PT2H', reason: 'Power cut in the data centre', override: false, by: 'alice', at: instant(7_200), state: 'APPLIED', result: 'Stuck again in 2 h' },
    { id: '2', flow: 'flow-0', phase: 'EnsureEndpoint', choice: 'SKIP', reason: 'Not needed here', override: false, by: 'bob', at: instant(9_000), state: 'REFUSED', result: 'Going on is unsafe' },
  ];

  const item = (kind, action, owner, names, where = 'management') => ({ kind, where, action, owner, names });
  const preview = (mode) => ({
    mode: mode ?? 'Full',
    items: [
      item('WorkloadCluster', 'delete', 'Slipway', ['c1']),
      item('Machine', mode === 'Detach' ? 'keep' : 'delete', 'Cluster API', ['c1-cp-0', 'c1-cp-1', 'c1-cp-2', 'c1-md-0', 'c1-md-1', 'c1-md-2']),
      item('ClusterCredential', 'delete', 'Slipway', ['cc-c1'], 'platform'),
      item('Secret', 'keep', 'nobody', ['c1-ca']),
    ],
    warnings: mode === 'Forget' ? ['nobody looks after the machines any more'] : [],
  });
  const receipt = {
    flow: 'flow-deleted', kind: 'delete', namespace: 'edge', name: 'old-one', uid: '0b3e0b0c-6f5b-4f6e-9d67-0f6f4ce0a001', mode: 'Full',
    startedBy: 'alice', reason: 'Replaced by new-one', startedAt: instant(9_000), closedAt: instant(8_000), result: 'Deleted',
    summary: '12 deleted, 1 left behind: Namespace cpaas-system', counts: { DELETED: 12, LEFT: 1 },
  };
  const receiptDetails = {
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

  function answer(method, parts, query) {
    const [kind, ...rest] = parts;
    if (method !== 'GET') return kind === 'stuck' ? { items: [{ state: 'APPLIED' }] } : { state: 'APPLIED' };
    if (kind === 'clusters' && rest.length === 2) return details(...rest);
    if (kind === 'clusters' && rest[2] === 'decisions') return { items: rest[1].endsWith('00000') ? decisions : [] };
    if (kind === 'clusters' && rest[2] === 'diagnosis') return diagnosis;
    if (kind === 'clusters' && rest[2] === 'deletion') return preview(query.get('mode'));
    if (kind === 'receipts') return rest.length === 0 ? { items: [receipt] } : receiptDetails;
    if (kind === 'stuck') return stuck();
    if (kind === 'flows' && rest[1] === 'diagram') return rest[0].endsWith('-import') ? imports.xml : init.xml;
    return undefined;
  }

  async function file(path) {
    const name = normalize(path === '/' ? '/index.html' : path);
    return { body: await readFile(join(web, 'dist', name)), type: types[extname(name)] ?? 'application/octet-stream' };
  }

  async function handle(request) {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (!pathname.startsWith('/api/v1/')) return file(pathname);
    if (pathname === '/api/v1/clusters') return { body: list, type: 'application/json' };
    const found = answer(request.method, pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent), searchParams);
    if (found === undefined) throw new Error('There is none');
    if (typeof found === 'string') return { body: found, type: 'application/xml' };
    return { body: JSON.stringify(found), type: 'application/json' };
  }

  const server = createServer((request, response) => {
    handle(request).then(
      ({ body, type }) => {
        response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
        response.end(body);
      },
      (error) => {
        response.writeHead(404, { 'Content-Type': 'application/problem+json' });
        response.end(JSON.stringify({ detail: error.message }));
      },
    );
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serve(Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 4173));
  console.log(url);
}
