// A list of any length costs as much as the rows that can be seen.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface Window {
  /** The first row to draw, and the one after the last. */
  first: number;
  end: number;
}

const spare = 8;

/** Which rows can be seen, with a few more on both sides. */
export function windowOf(count: number, rowHeight: number, top: number, height: number): Window {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - spare);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { first, end: Math.max(first, end) };
}

export interface Windowed extends Window {
  place: RefObject<HTMLDivElement | null>;
  /** Scrolls so that a row can be seen. */
  reveal: (row: number) => void;
}

/**
 * Follows what can be seen of a scrolling place.
 *
 * @param headHeight of what stays on top of the rows
 */
export function useWindowed(count: number, rowHeight: number, headHeight: number): Windowed {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 1_000 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const look = () => {
      const { scrollTop, clientHeight } = element;
      // By whole rows: scrolling a little draws nothing anew.
      const top = scrollTop - (scrollTop % rowHeight);
      const height = clientHeight === 0 ? 1_000 : clientHeight + rowHeight;
      setSeen((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      element.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [rowHeight]);
  const reveal = useCallback(
    (row: number) => {
      const element = place.current;
      if (element === null) return;
      const top = row * rowHeight;
      const room = element.clientHeight - headHeight - rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top > element.scrollTop + room) element.scrollTop = top - room;
    },
    [rowHeight, headHeight],
  );
  return { ...windowOf(count, rowHeight, seen.top, seen.height), place, reveal };
}
