// The fleet in parts: of any number of clusters only those are read that can be seen.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ClusterList, ClusterView } from './api';
import { apiUrl, reader, withQuery } from './http';
import { useStream } from './live';
import type { StreamState } from './live';
import { usePolled } from './poll';
import { queryOf } from './router';
import type { Filters } from './router';

/** So many clusters are read at once. */
export const partSize = 100;

/** So many parts are kept though nobody looks at them. */
const kept = 20;

/** How long somebody may type on before the server is asked. */
const typing = 200;

/** What is known of a fleet of which parts were read. */
export interface FleetState {
  total: number;
  counts: Record<string, number>;
  warning: string | null | undefined;
  row: (index: number) => ClusterView | undefined;
}

/** Reads the parts that are wanted, and keeps what it has read. */
export class FleetReader {
  private readonly readers = new Map<number, (signal: AbortSignal) => Promise<ClusterList>>();
  private readonly parts = new Map<number, ClusterView[]>();
  private latest: ClusterList | undefined;
  private wanted = [0];

  constructor(private readonly filters: Filters) {}

  /** Which rows are seen; says whether other parts are wanted than before. */
  see(first: number, end: number): boolean {
    const from = Math.floor(first / partSize);
    const to = Math.floor(Math.max(first, end - 1) / partSize);
    const next = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (next.join() === this.wanted.join()) return false;
    this.wanted = next;
    return true;
  }

  async load(signal: AbortSignal): Promise<FleetState> {
    const wanted = [...this.wanted];
    const read = await Promise.all(wanted.map((part) => this.readerOf(part)(signal)));
    read.forEach((list, index) => {
      const part = wanted[index] ?? 0;
      // The latest is kept longest.
      this.parts.delete(part);
      this.parts.set(part, list.items);
    });
    for (const part of [...this.parts.keys()].slice(0, -kept)) this.parts.delete(part);
    this.latest = read[0];
    return this.state();
  }

  /** Puts clusters in their places as they are now; the order is the server's to say. */
  update(changed: ClusterView[]): FleetState | undefined {
    const fresh = new Map(changed.map((one) => [one.uid, one]));
    for (const [part, items] of this.parts) {
      this.parts.set(part, items.map((one) => fresh.get(one.uid) ?? one));
    }
    return this.latest === undefined ? undefined : this.state();
  }

  private state(): FleetState {
    const parts = new Map(this.parts);
    return {
      total: this.latest?.total ?? 0,
      counts: this.latest?.counts ?? {},
      warning: this.latest?.warning,
      row: (index) => parts.get(Math.floor(index / partSize))?.[index % partSize],
    };
  }

  private readerOf(part: number): (signal: AbortSignal) => Promise<ClusterList> {
    const known = this.readers.get(part);
    if (known !== undefined) return known;
    const offset = part * partSize;
    const asked = { ...queryOf(this.filters), offset: offset === 0 ? '' : offset, limit: partSize };
    const made = reader<ClusterList>(withQuery(apiUrl('clusters'), asked));
    this.readers.set(part, made);
    return made;
  }
}

export interface Fleet {
  data: FleetState | undefined;
  error: Error | undefined;
  confirmedAt: number | undefined;
  stream: StreamState;
  reload: () => void;
  /** Tells which rows are seen. */
  see: (first: number, end: number) => void;
}

/** The fleet that matches the filters, live. */
export function useFleet(filters: Filters): Fleet {
  const asked = useSettled(filters);
  const key = JSON.stringify(asked);
  const fleet = useMemo(() => new FleetReader(asked), [key]);
  const load = useMemo(() => (signal: AbortSignal) => fleet.load(signal), [fleet]);
  const soon = useRef<() => void>(() => undefined);
  const [updated, setUpdated] = useState<{ of: FleetState; to: FleetState }>();
  const latest = useRef<FleetState>(undefined);
  const stream = useStream(asked.namespace === '' ? {} : { namespace: asked.namespace }, {
    clusters: (data) => {
      const changed = (data as { changed?: ClusterView[] } | undefined)?.changed ?? [];
      const to = fleet.update(changed);
      if (to !== undefined && latest.current !== undefined) setUpdated({ of: latest.current, to });
      soon.current();
    },
    reset: () => {
      soon.current();
    },
  });
  const live = usePolled(load, undefined, stream);
  soon.current = live.soon;
  latest.current = live.data;
  return {
    ...live,
    data: updated !== undefined && updated.of === live.data ? updated.to : live.data,
    see: (first, end) => {
      if (fleet.see(first, end)) live.reload();
    },
  };
}

/** The filters, when somebody has stopped typing for a moment; what is clicked holds at once. */
function useSettled(filters: Filters): Filters {
  const [settled, setSettled] = useState(filters);
  useEffect(() => {
    if (filters.text === settled.text || filters.text === '') {
      setSettled(filters);
      return;
    }
    const timer = setTimeout(() => {
      setSettled(filters);
    }, typing);
    return () => {
      clearTimeout(timer);
    };
  }, [filters]);
  return settled;
}
