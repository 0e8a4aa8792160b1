import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { diagramOf } from './api';
import type { FlowView, RunView } from './api';
import { marksOf } from './diagram-marks';
import type { Colour } from './diagram-marks';
import type { DiagramView } from './diagram-view';
import { locale } from './format';
import { asOf, entered } from './history';
import { textOf } from './http';
import { useNorms } from './norms';
import { flowEnd, phaseStateText, standing } from './reading';
import { t } from './text';

interface DiagramProps {
  flow: FlowView;
  /** The flows that it called. */
  called: FlowView[];
  /** What it did before, if that is known. */
  runs: RunView[] | undefined;
  now: number;
  /** The elements of phases that somebody may point at, and what happens then. */
  picks: Set<string> | undefined;
  onPick: (element: string) => void;
}

const colours: readonly Colour[] = ['state', 'time', 'fleet'];

/** The diagram that a flow runs, with what happens on it, live, or as it was. */
export function Diagram({ flow, called, runs = [], now, picks, onPick }: DiagramProps) {
  const place = useRef<HTMLDivElement>(null);
  const { view, error } = useView(place, flow.id, onPick);
  const [colour, setColour] = useState<Colour>('state');
  const [step, setStep] = useState<number>();
  const norms = useNorms(flow.kind, colour === 'fleet');
  const past = step === undefined ? undefined : asOf(flow, runs, step);
  const marks = useMemo(
    () =>
      past === undefined
        ? marksOf(flow, called, { now, colour, entered: entered(runs), norms, picks })
        : marksOf(past, [], { now, colour, entered: entered(runs.slice(0, (step ?? 0) + 1)), norms }),
    [flow, called, now, colour, norms, picks, runs, step],
  );
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
      {picks === undefined ? null : (
        <p class="pick-hint" role="status">
          {t('diagram.pick')}
        </p>
      )}
      <div ref={place} class="diagram-place" role="group" aria-label={labelOf(flow)} hidden={error !== undefined} />
      <figcaption hidden={view === undefined}>
        {runs.length > 1 ? <Steps runs={runs} step={step} onStep={setStep} /> : null}
        <div class="row">
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
        </div>
        {colour === 'fleet' ? <p class="quiet small">{t(norms === undefined ? 'norms.none' : 'norms.legend')}</p> : null}
      </figcaption>
    </figure>
  );
}

interface StepsProps {
  runs: RunView[];
  step: number | undefined;
  onStep: (step: number | undefined) => void;
}

/** Goes through what the flow did, run by run, up to now. */
function Steps({ runs, step, onStep }: StepsProps) {
  const last = runs.length;
  const at = step ?? last;
  const run = runs[at];
  const text =
    run === undefined
      ? t('history.now')
      : t('history.step', {
          step: at + 1,
          of: last,
          phase: run.title,
          when: new Date(run.enteredAt).toLocaleString(locale()),
        });
  const go = (next: number) => {
    onStep(next >= last ? undefined : Math.max(0, next));
  };
  return (
    <div class="steps">
      <Tool sign="‹" name={t('history.before')} onUse={() => { go(at - 1); }} />
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={t('history.slider')}
        aria-valuetext={text}
        onInput={(event) => {
          go(event.currentTarget.valueAsNumber);
        }}
      />
      <Tool sign="›" name={t('history.next')} onUse={() => { go(at + 1); }} />
      <span class={run === undefined ? 'quiet' : 'past'}>{text}</span>
    </div>
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
function useView(place: { current: HTMLElement | null }, flowId: string, onPick: (element: string) => void) {
  const [view, setView] = useState<DiagramView>();
  const [error, setError] = useState<string>();
  const picked = useRef(onPick);
  picked.current = onPick;
  useEffect(() => {
    const ended = new AbortController();
    let made: DiagramView | undefined;
    setView(undefined);
    setError(undefined);
    async function load(): Promise<void> {
      const [xml, viewer] = await Promise.all([diagramOf(flowId, ended.signal), import('./diagram-view')]);
      if (ended.signal.aborted || place.current === null) return;
      made = new viewer.DiagramView(place.current, (element) => {
        picked.current(element);
      });
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
