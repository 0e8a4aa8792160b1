import { useEffect, useState } from 'preact/hooks';
import { apiUrl, read } from './http';

/** The namespaces that there are, with the one that is chosen though it may not be there. */
export function useNamespaces(chosen: string): string[] {
  const [found, setFound] = useState<string[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    read<{ items: { name: string }[] }>(apiUrl('namespaces'), ended.signal).then(
      ({ items }) => {
        setFound(items.map(({ name }) => name));
      },
      // A list to choose from, no more: without it the address still chooses.
      () => undefined,
    );
    return () => {
      ended.abort();
    };
  }, []);
  return chosen === '' || found.includes(chosen) ? found : [...found, chosen].sort();
}
