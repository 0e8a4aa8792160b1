import { useMemo, useState } from 'preact/hooks';
import { apiUrl, reader } from './api';
import type { ClusterList, ClusterView } from './api';
import { age } from './format';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import { clusterMood, currentPhase, flowEnd, progress, reasonOf } from './reading';
import { ClusterFlows, Notice, nextCheck } from './timeline';

const columns = ['Cluster', 'Phase', 'Flow', 'Waiting for', 'Since', 'Runs', 'Next check'];

/** The clusters and their phases, live. */
export function App() {
  const load = useMemo(() => reader<ClusterList>(apiUrl('clusters')), []);
  const { data, error, confirmedAt, reload } = usePolled(load);
  const now = useNow();
  return (
    <>
      <header class="top">
        <h1>
          <span class="brand">Slipway</span> Clusters
        </h1>
        <Connection error={error} confirmedAt={confirmedAt} now={now} />
      </header>
      <main>
        {error !== undefined && data === undefined ? <Unread error={error} onRetry={reload} /> : null}
        {error === undefined && data === undefined ? <p class="empty">Reading the clusters…</p> : null}
        {data?.warning == null ? null : <Notice text={data.warning} />}
        {data === undefined ? null : <Clusters items={data.items} now={now} />}
      </main>
    </>
  );
}

function Connection({ error, confirmedAt, now }: { error: Error | undefined; confirmedAt: number | undefined; now: number }) {
  if (confirmedAt === undefined) return null;
  const since = age(new Date(confirmedAt).toISOString(), now);
  return (
    <p class="connection" role="status">
      {error === undefined ? (
        <Mark mood="done" text="Live" />
      ) : (
        <Mark mood="stuck" text={`Not connected: what you see is ${since} old. Trying again.`} />
      )}
    </p>
  );
}

function Unread({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div class="empty" role="alert">
      <p>
        <strong>The clusters could not be read.</strong>
      </p>
      <p>{error.message}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

function Clusters({ items, now }: { items: ClusterView[]; now: number }) {
  if (items.length === 0) {
    return (
      <div class="empty">
        <p>
          <strong>There are no clusters yet.</strong>
        </p>
        <p>
          Declare one with <code>kubectl apply</code> of a <code>WorkloadCluster</code>: it appears here at once. Clusters of
          Cluster API appear when Slipway imports them.
        </p>
      </div>
    );
  }
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {items.map((cluster) => (
          <ClusterRows key={cluster.uid} cluster={cluster} now={now} />
        ))}
      </table>
    </div>
  );
}

function ClusterRows({ cluster, now }: { cluster: ClusterView; now: number }) {
  const [open, setOpen] = useState(false);
  const id = `details-${cluster.uid}`;
  return (
    <tbody>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="opener"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => {
              setOpen(!open);
            }}
          >
            <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" focusable="false">
              <path d="m5 3 5 5-5 5" />
            </svg>
            <span>
              <span class="quiet">{cluster.namespace}/</span>
              {cluster.name}
              {cluster.origin === 'Cluster' ? <span class="quiet small">imported only</span> : null}
            </span>
          </button>
        </th>
        <td>
          <Mark mood={clusterMood(cluster.phase)} text={cluster.phase} />
        </td>
        <FlowCells cluster={cluster} now={now} />
      </tr>
      <tr id={id} hidden={!open}>
        <td colSpan={columns.length}>{open ? <ClusterFlows cluster={cluster} now={now} /> : null}</td>
      </tr>
    </tbody>
  );
}

function FlowCells({ cluster, now }: { cluster: ClusterView; now: number }) {
  const flow = cluster.flow;
  if (flow == null) return <td colSpan={5} class="quiet">No flow yet</td>;
  const phase = currentPhase(flow);
  if (flow.state !== 'RUNNING' || phase === undefined) {
    return (
      <>
        <td>{flow.kind}</td>
        <td>{flow.state === 'RUNNING' ? 'Between two phases' : flowEnd(flow)}</td>
        <td>{age(flow.endedAt ?? flow.startedAt, now)}</td>
        <td />
        <td />
      </>
    );
  }
  return (
    <>
      <td>
        {phase.title}
        <span class="quiet small">
          {flow.kind}, {progress(flow)}
        </span>
      </td>
      <td class="waiting">
        <strong>{reasonOf(phase)}</strong>
        <span class="small message">{phase.message}</span>
      </td>
      <td class="number">{age(phase.since, now)}</td>
      <td class="number">{phase.attempt}</td>
      <td class="number">{nextCheck(phase, now)}</td>
    </>
  );
}
