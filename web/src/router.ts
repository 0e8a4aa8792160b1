// Where in the console somebody is: the part of the address behind the hash, so that the server has one page to serve.
import { useEffect, useState } from 'preact/hooks';

export interface Filters {
  text: string;
  state: string;
  namespace: string;
}

export type Route =
  | { page: 'fleet'; filters: Filters }
  | { page: 'cluster'; namespace: string; name: string }
  | { page: 'stuck' }
  | { page: 'receipts'; namespace: string; name: string }
  | { page: 'receipt'; flow: string }
  | { page: 'missing' };

export const noFilters: Filters = { text: '', state: '', namespace: '' };

/** The route of a hash such as `#/clusters/demo/c1`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const [page, namespace, name] = parts;
  if (page === undefined) return { page: 'fleet', filters: filtersOf(new URLSearchParams(query)) };
  if (page === 'clusters' && parts.length === 3 && namespace && name) return { page: 'cluster', namespace, name };
  if (page === 'stuck' && parts.length === 1) return { page: 'stuck' };
  if (page === 'receipts' && parts.length === 1) {
    const asked = new URLSearchParams(query);
    return { page: 'receipts', namespace: asked.get('namespace') ?? '', name: asked.get('name') ?? '' };
  }
  if (page === 'receipts' && parts.length === 2 && namespace) return { page: 'receipt', flow: namespace };
  return { page: 'missing' };
}

/** The address of a route. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'fleet':
      return `#/${queryOf({ q: route.filters.text, state: route.filters.state, namespace: route.filters.namespace })}`;
    case 'cluster':
      return `#/clusters/${encodeURIComponent(route.namespace)}/${encodeURIComponent(route.name)}`;
    case 'stuck':
      return '#/stuck';
    case 'receipts':
      return `#/receipts${queryOf({ namespace: route.namespace, name: route.name })}`;
    case 'receipt':
      return `#/receipts/${encodeURIComponent(route.flow)}`;
    case 'missing':
      return '#/';
  }
}

export function clusterHref(cluster: { namespace: string; name: string }): string {
  return hrefOf({ page: 'cluster', namespace: cluster.namespace, name: cluster.name });
}

const replaced = 'slipway:replaced';

/** Another route in place of this one, without a step in the history: for what is being typed. */
export function replaceRoute(route: Route): void {
  history.replaceState(history.state, '', hrefOf(route));
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

function filtersOf(query: URLSearchParams): Filters {
  return { text: query.get('q') ?? '', state: query.get('state') ?? '', namespace: query.get('namespace') ?? '' };
}

/** Only what is asked for. */
function queryOf(values: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** A broken escape is no reason to show nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
