import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { diagramOf, textOf } from './api';
import type { FlowView } from './api';
import { marksOf } from './diagram-marks';
import type { Colour } from './diagram-marks';
import type { DiagramView } from './diagram-view';
import { flowEnd, phaseStateText, standing } from './reading';
import { t } from './text';

interface DiagramProps {
  flow: FlowView;
  /** The flows that it called. */
  called: FlowView[];
  now: number;
}

const colours: readonly Colour[] = ['state', 'time'];

/** The diagram that a flow runs, with what happens on it, live. */
export function Diagram({ flow, called, now }: DiagramProps) {
  const place = useRef<HTMLDivElement>(null);
  const { view, error } = useView(place, flow.id);
  const [colour, setColour] = useState<Colour>('state');
  const marks = useMemo(() => marksOf(flow, called, now, colour), [flow, called, now, colour]);
  useEffect(() => {
    view?.mark(marks);
  }, [view, marks]);
  return (
    <figure class="diagram">
      {error === undefined ? null : (
        <p class="notice" role="status">
          {t('diagram.failed', { why: error })}
        </p>
      )}
      {view === undefined && error === undefined ? <p class="quiet">{t('diagram.reading')}</p> : null}
      <div ref={place} class="diagram-place" role="group" aria-label={labelOf(flow)} hidden={error !== undefined} />
      <figcaption class="row" hidden={view === undefined}>
        <span class="quiet small">{t('diagram.hint')}</span>
        <label class="row push">
          <span>{t('diagram.colour')}</span>
          <select
            value={colour}
            onChange={(event) => {
              setColour(event.currentTarget.value as Colour);
            }}
          >
            {colours.map((one) => (
              <option key={one} value={one}>
                {t(`diagram.colour.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Tool sign="−" name={t('diagram.out')} onUse={() => view?.zoom(-1)} />
        <Tool sign="+" name={t('diagram.in')} onUse={() => view?.zoom(1)} />
        <button type="button" class="plain" onClick={() => view?.fit()}>
          {t('diagram.fit')}
        </button>
      </figcaption>
    </figure>
  );
}

function Tool({ sign, name, onUse }: { sign: string; name: string; onUse: () => void }) {
  return (
    <button type="button" class="plain tool" aria-label={name} title={name} onClick={onUse}>
      {sign}
    </button>
  );
}

/** The viewer with the flow's diagram in it, once both are there. */
function useView(place: { current: HTMLElement | null }, flowId: string) {
  const [view, setView] = useState<DiagramView>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const ended = new AbortController();
    let made: DiagramView | undefined;
    setView(undefined);
    setError(undefined);
    async function load(): Promise<void> {
      const [xml, viewer] = await Promise.all([diagramOf(flowId, ended.signal), import('./diagram-view')]);
      if (ended.signal.aborted || place.current === null) return;
      made = new viewer.DiagramView(place.current);
      await made.show(xml);
      setView(made);
    }
    load().catch((failure: unknown) => {
      if (!ended.signal.aborted) setError(textOf(failure));
    });
    return () => {
      ended.abort();
      made?.destroy();
    };
  }, [flowId]);
  return { view, error };
}

function labelOf(flow: FlowView): string {
  const here = flow.phases.find(standing);
  const ended = flow.state === 'RUNNING' ? '' : t('diagram.ended', { result: flowEnd(flow) });
  const now = here === undefined ? ended : t('diagram.now', { phase: here.title, state: phaseStateText(here) });
  return t('diagram.label', { kind: flow.kind, done: flow.done, of: flow.of, now }).trim();
}
