import { useState } from 'preact/hooks';
import { textOf } from './api';

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
