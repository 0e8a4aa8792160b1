// Serves dist/ as Slipway does, under the same content security policy, with a made-up fleet behind the API.
// For looking at the console without clusters:  node tools/sample-server.mjs [clusters] [port]
// Anybody may sign in with the password "sample": as viewer, operator or admin, which are also the roles.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  audit, classes, cluster, decisions, diagnosis, errorsOf, events, instant, phasesOf, preview, problems, receipt, receiptDetails, running, runsOf,
  statistics, workItems,
} from './sample-data.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const operator = ['READ', 'CREATE', 'OPERATE', 'DELETE'];
const roles = { viewer: ['READ'], operator, admin: [...operator, 'DEPLOY', 'ADMIN'] };

/** An answer that is not 200 with JSON. */
class Answer {
  constructor(status, body, headers = {}) {
    Object.assign(this, { status, body, headers });
  }
}

const problem = (status, code, detail, rest = {}) => new Answer(status, { status, code, detail, ...rest });
const current = (flow) => ({ ...flow, phases: flow.phases.filter((one) => one.run !== undefined) });

/** A part of a list, as all lists of the API give it. */
function part(all, query) {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? 100);
  return { items: all.slice(offset, offset + limit), total: all.length, offset, limit };
}

function counted(clusters) {
  const counts = {};
  for (const { phase } of clusters) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}

/** The clusters of a query, in its order. */
function found(fleet, query) {
  const [text, namespace] = ['q', 'namespace'].map((name) => (query.get(name) ?? '').toLowerCase());
  const of = (one) => `${one.namespace}/${one.name} ${JSON.stringify(current(one.flow).phases)}`.toLowerCase();
  const all = fleet.filter((one) => (namespace === '' || one.namespace === namespace) && (text === '' || of(one).includes(text)));
  const keys = {
    name: (one) => one.name,
    created: (one) => one.created,
    since: (one) => current(one.flow).phases[0]?.since ?? one.flow.endedAt,
    attention: (one) => (one.stuck ? '0' : one.ready ? '2' : '1') + one.namespace + one.name,
  };
  const key = keys[query.get('sort') ?? 'attention'];
  const sign = query.get('order') === 'desc' ? -1 : 1;
  return all.sort((one, other) => sign * (key(one) < key(other) ? -1 : 1));
}

/** A server with that many clusters, where somebody has signed in already unless told otherwise; say close() when done. */
export async function serve(size, port = 0, signedIn = 'admin') {
  const init = await phasesOf('cluster-init');
  const imports = await phasesOf('cluster-import');
  const deletes = await phasesOf('cluster-delete');
  const installs = await phasesOf('work-item-install');
  const fleet = Array.from({ length: size }, (_, index) => cluster(index, init));
  const items = workItems(fleet, installs.phases);
  const streams = new Set();
  let user = signedIn;

  function list(query) {
    const all = found(fleet, query);
    const state = query.get('state');
    const shown = part(all.filter((one) => state === null || one.phase === state), query);
    return { ...shown, items: shown.items.map((one) => ({ ...one, flow: current(one.flow) })), counts: counted(all) };
  }

  function details(namespace, name) {
    const one = fleet.find((other) => other.namespace === namespace && other.name === name);
    if (one === undefined) return undefined;
    const phases = running(imports.phases, 2, 'WAITING', problems[2]);
    const called = { ...one.flow, id: `${one.flow.id}-import`, kind: 'import', parent: one.flow.id, phases };
    const flows = one.phase === 'Importing' ? [{ ...called, done: 2, of: phases.length }, one.flow] : [one.flow];
    const truth = (value) => (value ? 'True' : 'False');
    const conditions = [
      { type: 'Ready', status: truth(one.ready), reason: one.ready ? 'Ready' : 'FlowRunning', message: 'All phases hold' },
      { type: 'Stuck', status: truth(one.stuck), reason: one.stuck ? problems[0][0] : 'NotStuck', message: '' },
    ].map((other) => ({ ...other, lastTransitionTime: instant(400) }));
    return { cluster: { ...one, flow: current(one.flow) }, conditions, flows };
  }

  function stuck() {
    const groups = new Map();
    for (const one of fleet.filter((other) => other.stuck)) {
      const phase = one.flow.phases.find((step) => step.run !== undefined);
      const key = `${phase.name} ${phase.reason}`;
      const group = groups.get(key) ?? {
        flow: 'init', phase: phase.name, reason: phase.reason, message: phase.message, oldest: instant(4_000), clusters: [],
      };
      group.clusters.push({ namespace: one.namespace, name: one.name, run: `${one.uid}-run`, flow: one.flow.id, escalatedAt: instant(400) });
      groups.set(key, group);
    }
    const all = [...groups.values()].map((group) => ({ ...group, count: group.clusters.length }));
    return { items: all.sort((a, b) => b.count - a.count) };
  }

  function session() {
    return {
      name: user, displayName: `${user[0].toUpperCase()}${user.slice(1)}`, roles: [user], actions: roles[user], via: 'session',
      csrf: { header: 'X-CSRF-Token', token: 'sample' }, expiresAt: instant(-8 * 3_600),
    };
  }

  function signIn({ name, password }) {
    if (name === 'often') return new Answer(429, { detail: 'Too many attempts' }, { 'Retry-After': '30' });
    if (password !== 'sample' || roles[name] === undefined) return problem(401, 'NotSignedIn', 'Name or password is wrong');
    user = name;
    return session();
  }

  function flowOf(id) {
    const all = [...fleet.map((one) => one.flow), ...items.flatMap((one) => one.flows)];
    return all.find((one) => one.id === id || `${one.id}-import` === id);
  }

  function ofCluster([namespace, name, what], query) {
    if (what === undefined) return details(namespace, name);
    const first = name.endsWith('00000');
    return {
      decisions: () => ({ items: first ? decisions : [] }),
      diagnosis: () => diagnosis,
      deletion: () => preview(query.get('mode')),
      events: () => ({ items: first ? events : [] }),
    }[what]?.();
  }

  function ofItems(rest, query) {
    if (rest[2] === 'decisions') return { items: [] };
    if (rest.length > 0) return items.find((one) => one.namespace === rest[0] && one.name === rest[1]);
    const wanted = ['namespace', 'cluster'].map((name) => [name, query.get(name)]);
    const shown = items.filter((one) => wanted.every(([name, value]) => value === null || one[name] === value));
    return part(shown.map((one) => ({ ...one, flows: one.flows.map(current) })), query);
  }

  function ofFlows([id, what]) {
    if (what === 'runs') return { items: id.endsWith('-import') ? [] : runsOf(flowOf(id)) };
    if (what !== 'diagram') return undefined;
    const xml = id.endsWith('-import') ? imports.xml : id.startsWith('item-') ? installs.xml : init.xml;
    return new Answer(200, xml, { 'Content-Type': 'application/xml' });
  }

  function read([kind, ...rest], query) {
    if (kind === 'sign-in') return { password: true, providers: [{ id: 'corp', title: 'Example Corp', href: '/oauth2/authorization/corp' }] };
    if (user === null) return problem(401, 'NotSignedIn', 'Nobody is signed in');
    const kinds = { init: init.phases, import: imports.phases, delete: deletes.phases, 'work-item-install': installs.phases };
    return {
      session: () => session(),
      clusters: () => (rest.length === 0 ? list(query) : ofCluster(rest, query)),
      namespaces: () => ({ items: ['default', 'edge', 'prod', 'team-a'].map((name) => ({ name })) }),
      'cluster-classes': () => ({ items: classes }),
      'work-items': () => ofItems(rest, query),
      receipts: () => (rest.length === 0 ? part([receipt], query) : receiptDetails),
      audit: () => part(audit.filter((one) => one.by.includes(query.get('by') ?? '')), query),
      statistics: () => {
        const only = query.get('kind');
        return statistics(kinds[only] === undefined ? kinds : { [only]: kinds[only] }, query.get('since'));
      },
      stuck,
      flows: () => ofFlows(rest),
    }[kind]?.();
  }

  function change(method, [kind, ...rest], query, body, headers) {
    if (kind === 'session' && method === 'DELETE') {
      user = null;
      return new Answer(204);
    }
    if (kind === 'session') return signIn(body);
    if (user === null) return problem(401, 'NotSignedIn', 'Nobody is signed in');
    if (headers['x-csrf-token'] !== 'sample') return problem(403, 'CsrfInvalid', 'The token is missing');
    if (!roles[user].includes('OPERATE')) return problem(403, 'NotAllowed', 'needs the role operator');
    if (kind === 'clusters' && rest.length === 0) {
      const errors = errorsOf(body);
      if (errors.length > 0) return problem(422, 'Invalid', 'The cluster cannot be created', { errors });
      return query.get('dryRun') === 'true' ? body : new Answer(201, body);
    }
    return kind === 'stuck' ? { items: [{ state: 'APPLIED' }] } : { state: 'APPLIED' };
  }

  /** Some cluster starts to wait for something else every few seconds. */
  function stream(response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    response.write('event: hello\ndata: {}\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
  }

  let beat = 0;
  const beats = setInterval(() => {
    const waiting = fleet.filter((one) => one.phase === 'Initializing');
    const one = waiting[beat % Math.max(waiting.length, 1)];
    beat += 1;
    if (one === undefined || streams.size === 0) return;
    const here = one.flow.phases.find((step) => step.run !== undefined);
    Object.assign(here, { attempt: here.attempt + 1, lastCheck: instant(0), nextCheck: instant(-17) });
    const data = JSON.stringify({ changed: [{ ...one, flow: current(one.flow) }], gone: [], counts: counted(fleet) });
    for (const response of streams) response.write(`id: ${beat}\nevent: clusters\ndata: ${data}\n\n`);
  }, 3_000);

  async function file(path) {
    const name = normalize(path === '/' ? '/index.html' : path);
    const body = await readFile(join(web, 'dist', name));
    return new Answer(200, body, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' });
  }

  async function bodyOf(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return text === '' ? {} : JSON.parse(text);
  }

  async function handle(request) {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (!pathname.startsWith('/api/v1/')) return file(pathname);
    const parts = pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
    const answer =
      request.method === 'GET'
        ? read(parts, searchParams)
        : change(request.method, parts, searchParams, await bodyOf(request), request.headers);
    return answer ?? problem(404, 'NotFound', 'There is none');
  }

  function send(response, answer) {
    const { status, body, headers } = answer instanceof Answer ? answer : new Answer(200, answer);
    const plain = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store', ...headers });
    response.end(plain ? body : JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    if (request.url.startsWith('/api/v1/events') && user !== null) return stream(response);
    handle(request).then(
      (answer) => send(response, answer),
      (error) => send(response, problem(404, 'NotFound', error.message)),
    );
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Ends the session, as time does. */
    expire: () => {
      user = null;
      streams.forEach((response) => response.destroy());
    },
    close: () => {
      clearInterval(beats);
      streams.forEach((response) => response.destroy());
      server.close();
    },
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serve(Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 4173), null);
  console.log(url);
}
