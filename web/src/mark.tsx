import type { Mood } from './reading';

export const shapes: Record<Mood, string> = {
  pending: 'M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Z',
  active: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5v3l2 1.5',
  retrying: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  stuck: 'M8 2 14.5 13.5h-13ZM8 6.5v3M8 11.4v.2',
  paused: 'M5.5 3.5v9M10.5 3.5v9',
  done: 'm3 8.5 3.2 3.2L13 4.8',
  ended: 'M4 4l8 8M12 4l-8 8',
};

/** A sign and a word: neither colour nor shape alone says how something stands. */
export function Mark({ mood, text }: { mood: Mood; text: string }) {
  return (
    <span class={`mark mark-${mood}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path d={shapes[mood]} />
      </svg>
      <span>{text}</span>
    </span>
  );
}
