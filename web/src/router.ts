// Where in the console somebody is: the part of the address behind the hash, so that the server has one page to serve.
import { useEffect, useState } from 'preact/hooks';
import { withQuery } from './http';

export const sorts = ['attention', 'name', 'created', 'since'] as const;
export type Sort = (typeof sorts)[number];
export type Order = 'asc' | 'desc';

export interface Filters {
  text: string;
  state: string;
  namespace: string;
  sort: Sort;
  order: Order;
}

/** What is asked of a list, as it stands in the address. */
export type Query = Record<string, string>;

/** The lists with the filters that their addresses may hold. */
const lists = {
  'work-items': ['namespace', 'cluster', 'offset'],
  receipts: ['namespace', 'name', 'offset'],
  audit: ['by', 'action', 'namespace', 'cluster', 'since', 'until', 'offset'],
  statistics: ['since', 'kind'],
} as const;
export type ListPage = keyof typeof lists;

export type Route =
  | { page: 'fleet'; filters: Filters }
  | { page: 'cluster'; namespace: string; name: string }
  | { page: 'create' }
  | { page: 'stuck' }
  | { page: ListPage; query: Query }
  | { page: 'work-item'; namespace: string; name: string }
  | { page: 'receipt'; flow: string }
  | { page: 'sign-in'; to: string }
  | { page: 'missing' };

export const noFilters: Filters = { text: '', state: '', namespace: '', sort: 'attention', order: 'asc' };

/** The route of a hash such as `#/clusters/demo/c1`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = halves(hash.replace(/^#/, ''));
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const asked = new URLSearchParams(query);
  const [page, first, second] = parts;
  if (page === undefined) return { page: 'fleet', filters: filtersOf(asked) };
  if (parts.length === 1) return pageOf(page, asked);
  if (parts.length === 2 && page === 'receipts' && first) return { page: 'receipt', flow: first };
  if (parts.length === 3 && first && second) {
    if (page === 'clusters') return { page: 'cluster', namespace: first, name: second };
    if (page === 'work-items') return { page: 'work-item', namespace: first, name: second };
  }
  return { page: 'missing' };
}

/** The route of an address with one part. */
function pageOf(page: string, asked: URLSearchParams): Route {
  if (page === 'stuck' || page === 'create') return { page };
  if (page === 'sign-in') return { page, to: asked.get('to') ?? '' };
  if (!isList(page)) return { page: 'missing' };
  const entries = lists[page].map((name) => [name, asked.get(name) ?? ''] as const);
  return { page, query: Object.fromEntries(entries.filter(([, value]) => value !== '')) };
}

function isList(page: string): page is ListPage {
  return Object.hasOwn(lists, page);
}

/** Before and after the first question mark: what follows may have more of them. */
function halves(text: string): string[] {
  const at = text.indexOf('?');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The address of a route. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'fleet':
      return withQuery('#/', queryOf(route.filters));
    case 'cluster':
      return `#/clusters/${encodeURIComponent(route.namespace)}/${encodeURIComponent(route.name)}`;
    case 'stuck':
    case 'create':
      return `#/${route.page}`;
    case 'work-items':
    case 'receipts':
    case 'audit':
    case 'statistics':
      return withQuery(`#/${route.page}`, route.query);
    case 'work-item':
      return `#/work-items/${encodeURIComponent(route.namespace)}/${encodeURIComponent(route.name)}`;
    case 'receipt':
      return `#/receipts/${encodeURIComponent(route.flow)}`;
    case 'sign-in':
      return withQuery('#/sign-in', { to: route.to });
    case 'missing':
      return '#/';
  }
}

/** The fleet, all of it. */
export const fleetHref = hrefOf({ page: 'fleet', filters: noFilters });

export function clusterHref(cluster: { namespace: string; name: string }): string {
  return hrefOf({ page: 'cluster', namespace: cluster.namespace, name: cluster.name });
}

const replaced = 'slipway:replaced';

/** Goes to an address of this page. */
export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** Another route in place of this one, without a step in the history: for what is being typed. */
export function replaceRoute(route: Route): void {
  replaceHash(hrefOf(route));
}

export function replaceHash(hash: string): void {
  history.replaceState(history.state, '', hash);
  window.dispatchEvent(new Event(replaced));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const look = () => {
      setRoute(parseRoute(location.hash));
    };
    window.addEventListener('hashchange', look);
    window.addEventListener(replaced, look);
    return () => {
      window.removeEventListener('hashchange', look);
      window.removeEventListener(replaced, look);
    };
  }, []);
  return route;
}

function filtersOf(asked: URLSearchParams): Filters {
  const sort = asked.get('sort');
  return {
    text: asked.get('q') ?? '',
    state: asked.get('state') ?? '',
    namespace: asked.get('namespace') ?? '',
    sort: sorts.find((one) => one === sort) ?? 'attention',
    order: asked.get('order') === 'desc' ? 'desc' : 'asc',
  };
}

/** What is asked for, without what goes without saying; the server's list takes the same. */
export function queryOf({ text, state, namespace, sort, order }: Filters): Query {
  return {
    q: text,
    state,
    namespace,
    sort: sort === 'attention' ? '' : sort,
    order: order === 'asc' ? '' : order,
  };
}

/** A broken escape is no reason to show nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
