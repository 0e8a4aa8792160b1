import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useBar } from './session';
import type { Action } from './session';

interface ActProps {
  action: Action;
  class?: string | undefined;
  /** What it is about, for those who do not see what stands around it. */
  about?: string | undefined;
  busy?: boolean;
  onAct: () => void;
  children: ComponentChildren;
}

/** A button for something that not everybody may do: who may not still finds it, and reads why. */
export function Act({ action, class: look, about, busy = false, onAct, children }: ActProps) {
  const bar = useBar(action);
  const id = useId();
  return (
    <span class="act">
      <button
        type="button"
        class={look}
        disabled={busy}
        aria-disabled={bar === undefined ? undefined : true}
        aria-describedby={bar === undefined ? undefined : id}
        onClick={() => {
          if (bar === undefined) onAct();
        }}
      >
        {children}
        {about === undefined ? null : <span class="hidden"> {about}</span>}
      </button>
      {bar === undefined ? null : (
        <span id={id} class="quiet bar">
          {bar}
        </span>
      )}
    </span>
  );
}
