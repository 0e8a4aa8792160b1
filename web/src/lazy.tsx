import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { textOf } from './http';
import { FirstLook } from './shell';

/** A page that is loaded when somebody goes there, not before. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Page, setPage] = useState(() => loaded);
    const [error, setError] = useState<Error>();
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (page) => {
          loaded = page;
          setPage(() => page);
        },
        (failure: unknown) => {
          setError(new Error(textOf(failure)));
        },
      );
    }, [tries]);
    if (Page !== undefined) return <Page {...props} />;
    return (
      <FirstLook
        error={error}
        onRetry={() => {
          setError(undefined);
          setTries(tries + 1);
        }}
      />
    );
  };
}
