import { useRef, useState } from 'preact/hooks';
import { ApiError, newKey, textOf } from './http';

/** How something that the server was asked for stands. */
export type Asked = { state: 'idle' | 'asking' } | { state: 'done' | 'refused'; text: string };

/** Asks the server for a change, once at a time; `ask` answers whether it was done. */
export function useAsking(): { asked: Asked; ask: (change: () => Promise<string>) => Promise<boolean> } {
  const [asked, setAsked] = useState<Asked>({ state: 'idle' });
  return {
    asked,
    ask: async (change) => {
      setAsked({ state: 'asking' });
      try {
        setAsked({ state: 'done', text: await change() });
        return true;
      } catch (error) {
        setAsked({ state: 'refused', text: textOf(error) });
        return false;
      }
    },
  };
}

/**
 * Names a change so that it happens once: while no answer came, the same change keeps its name when it is sent again.
 * Whatever the server answered, the next try is another one.
 */
export function useOnce(): <T>(wish: unknown, change: (key: string) => Promise<T>) => Promise<T> {
  const open = useRef<{ wish: string; key: string }>(undefined);
  return async (wish, change) => {
    const text = JSON.stringify(wish);
    const key = open.current?.wish === text ? open.current.key : newKey();
    open.current = { wish: text, key };
    try {
      const done = await change(key);
      open.current = undefined;
      return done;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) open.current = undefined;
      throw error;
    }
  };
}
