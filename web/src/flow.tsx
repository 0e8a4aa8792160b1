import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Act } from './act';
import { cockpitUrl, retry } from './api';
import type { FlowView, PhaseView, Subject } from './api';
import { useAsking } from './asking';
import { Credentials } from './credentials';
import { Decide, Decision } from './decide';
import { Diagram } from './diagram';
import { age, span, until, words } from './format';
import { entered, useRuns } from './history';
import { Mark } from './mark';
import { paceOf, useNorms } from './norms';
import type { Norms } from './norms';
import { flowEnd, flowMood, nextCheck, phaseMood, phaseStateText, phaseTimes, reasonOf, standing } from './reading';
import { Runs, timesEntered } from './runs';
import { t } from './text';

interface FlowProps {
  flow: FlowView;
  /** The flows that it called: they are a part of it. */
  called: FlowView[];
  now: number;
  subject: Subject;
  /** Whether it is the one to look at first: its diagram is shown from the start. */
  first: boolean;
  onChanged: () => void;
}

/** One flow: where it stands and what to do, its diagram, its phases in words. */
export function Flow({ flow, called, now, subject, first, onChanged }: FlowProps) {
  const inner = called.some((one) => one.state === 'RUNNING');
  const here = flow.phases.filter(standing);
  const body = <Body key={flow.id} flow={flow} called={called} now={now} subject={subject} open={first && !inner} onChanged={onChanged} />;
  return (
    <section class="flow" aria-label={t('flow.label', { kind: flow.kind, name: subject.name })}>
      <FlowHead flow={flow} now={now} subject={subject} onRetried={onChanged} />
      {flow.incident == null ? null : <Notice text={flow.incident} />}
      {flow.state === 'RUNNING'
        ? here.map((phase) => (
            <Standing key={phase.elementId} phase={phase} flow={flow} now={now} subject={subject} onDecided={onChanged} />
          ))
        : null}
      {first || flow.state === 'RUNNING' ? body : <Fold phases={flow.phases} now={now}>{body}</Fold>}
      {flow.kind === 'import' ? <Credentials cluster={subject} onReplaced={onChanged} /> : null}
      {called.map((one) => (
        <Flow key={one.id} flow={one} called={[]} now={now} subject={subject} first={first && inner} onChanged={onChanged} />
      ))}
    </section>
  );
}

export function Notice({ text }: { text: string }) {
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

interface FlowHeadProps {
  flow: FlowView;
  now: number;
  subject: Subject;
  onRetried: () => void;
}

function FlowHead({ flow, now, subject, onRetried }: FlowHeadProps) {
  const running = flow.state === 'RUNNING';
  const Heading = flow.parent == null ? 'h3' : 'h4';
  const begun = age(flow.startedAt, now);
  return (
    <div class="flow-head">
      <div>
        <Heading>{t('flow.title', { kind: flow.kind })}</Heading>
        <p class="row">
          <Mark
            mood={flowMood(flow)}
            text={running ? t('flow.done', { done: flow.done, of: flow.of }) : flowEnd(flow)}
          />
          <span class="quiet">
            {flow.parent == null
              ? t('flow.startedBy', { who: flow.startedBy, age: begun })
              : t('flow.called', { age: begun })}
          </span>
        </p>
      </div>
      {running ? (
        <div class="row">
          {flow.parent == null && subject.kind === 'clusters' ? <RetryButton subject={subject} onRetried={onRetried} /> : null}
          <a href={cockpitUrl(flow.id)}>{t('flow.cockpit')}</a>
        </div>
      ) : null}
    </div>
  );
}

function RetryButton({ subject, onRetried }: { subject: Subject; onRetried: () => void }) {
  const { asked, ask } = useAsking();

  async function again(): Promise<void> {
    const done = await ask(async () => {
      await retry(subject.namespace, subject.name);
      return t('retry.done');
    });
    if (done) onRetried();
  }

  return (
    <>
      <span role="status" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
        {asked.state === 'done' ? asked.text : null}
        {asked.state === 'refused' ? t('retry.refused', { why: asked.text }) : null}
      </span>
      <Act
        action="OPERATE"
        class="plain"
        about={t('retry.about', { name: subject.name })}
        busy={asked.state === 'asking'}
        onAct={() => void again()}
      >
        {t('retry.button')}
      </Act>
    </>
  );
}

interface StandingProps {
  phase: PhaseView;
  flow: FlowView;
  now: number;
  subject: Subject;
  onDecided: () => void;
}

/** A phase where the token stands: why, since when, and what can be done. */
function Standing({ phase, flow, now, subject, onDecided }: StandingProps) {
  const mood = phaseMood(phase);
  const index = flow.phases.indexOf(phase);
  return (
    <div class={`standing standing-${mood}`}>
      <p class="row">
        <strong class="standing-title">{phase.title}</strong>
        <Mark mood={mood} text={phaseStateText(phase)} />
        <span class="quiet">{phaseTimes(phase, now)}</span>
      </p>
      <p>
        <strong>{reasonOf(phase)}</strong> {phase.message}
      </p>
      <PhaseFacts phase={phase} now={now} />
      {(phase.choices ?? []).length === 0 ? null : (
        <Decide subject={subject} phase={phase} earlier={flow.phases.slice(0, index + 1)} onDecided={onDecided} />
      )}
    </div>
  );
}

function PhaseFacts({ phase, now }: { phase: PhaseView; now: number }) {
  return (
    <>
      <dl>
        <Fact
          name={t('facts.last')}
          value={phase.lastCheck == null ? t('facts.last.never') : t('time.ago', { span: age(phase.lastCheck, now) })}
        />
        <Fact name={t('facts.next')} value={nextCheck(phase, now)} />
        <Fact name={t('facts.stuck')} value={stuckText(phase, now)} />
        {phase.cause == null || phase.cause.code === phase.reason ? null : (
          <Fact name={t('facts.cause')} value={`${words(phase.cause.code)}: ${phase.cause.message}`} wide />
        )}
        {phase.lastError == null ? null : (
          <Fact name={t('facts.error')} value={`${phase.lastErrorCode ?? 'Error'}: ${phase.lastError}`} wide />
        )}
      </dl>
      {phase.actions.length === 0 ? null : (
        <>
          <p class="facts-head">{t('facts.actions')}</p>
          <ol class="actions">
            {phase.actions.map((action) => (
              <li key={action}>{action}</li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function stuckText(phase: PhaseView, now: number): string {
  if (phase.stuck) return t('facts.stuck.yes');
  return phase.stuckAt == null ? t('facts.stuck.never') : until(phase.stuckAt, now);
}

function Fact({ name, value, wide = false }: { name: string; value: string; wide?: boolean }) {
  return (
    <div class={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What is over and not the latest is folded away, and read when somebody opens it. */
function Fold({ phases, now, children }: { phases: PhaseView[]; now: number; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open) setOpen(true);
      }}
    >
      <summary>{t('flow.timeline')}</summary>
      {open ? children : <Timeline phases={phases} now={now} />}
    </details>
  );
}

interface BodyProps {
  flow: FlowView;
  called: FlowView[];
  now: number;
  subject: Subject;
  open: boolean;
  onChanged: () => void;
}

/** What a flow does and did: on its diagram, as a list of phases, run by run. */
function Body({ flow, called, now, subject, open, onChanged }: BodyProps) {
  const [shown, setShown] = useState(open);
  const runs = useRuns(flow);
  const times = useMemo(() => (runs === undefined ? undefined : entered(runs)), [runs]);
  const norms = useNorms(flow.kind, open);
  const move = useMove(flow);
  return (
    <>
      <div class="row body-tools">
        <button
          type="button"
          class="link"
          aria-expanded={shown}
          onClick={() => {
            setShown(!shown);
          }}
        >
          {t(shown ? 'diagram.hide' : 'diagram.show')}
          <span class="hidden"> {flow.kind}</span>
        </button>
        {move.from === undefined ? null : (
          <Act
            action="OPERATE"
            class="plain push"
            onAct={() => {
              move.setPicking(!move.picking);
            }}
          >
            {t(move.picking ? 'move.stop' : 'move.open')}
          </Act>
        )}
      </div>
      {shown ? (
        <Diagram
          flow={flow}
          called={called}
          runs={runs}
          now={now}
          picks={move.picking ? move.allowed : undefined}
          onPick={move.pick}
        />
      ) : null}
      <Timeline
        phases={flow.phases}
        now={now}
        times={times}
        norms={norms}
        {...(move.picking ? { allowed: move.allowed, onPick: move.pick } : {})}
      />
      {runs === undefined || runs.length === 0 ? null : <Runs runs={runs} kind={flow.kind} now={now} />}
      {move.from === undefined || move.picked === undefined ? null : (
        <Decision
          subject={subject}
          phase={move.from}
          earlier={move.earlier}
          from={move.picked}
          onClose={move.stop}
          onDecided={() => {
            move.stop();
            onChanged();
          }}
        />
      )}
    </>
  );
}

/** Moving the token: which phases it may go to, and whether somebody is choosing one. */
function useMove(flow: FlowView) {
  const [picking, setPicking] = useState(false);
  const [picked, setPicked] = useState<string>();
  const from = flow.state === 'RUNNING' ? flow.phases.find((one) => one.choices?.includes('RETRY_FROM')) : undefined;
  const earlier = from === undefined ? [] : flow.phases.slice(0, flow.phases.indexOf(from) + 1);
  const ids = earlier.map((one) => one.elementId).join(' ');
  const allowed = useMemo(() => new Set(ids.split(' ')), [ids]);
  return {
    from,
    earlier,
    allowed,
    picking: picking && from !== undefined,
    picked,
    setPicking,
    pick: (element: string) => {
      setPicked(earlier.find((one) => one.elementId === element)?.name);
    },
    stop: () => {
      setPicked(undefined);
      setPicking(false);
    },
  };
}

interface TimelineProps {
  phases: PhaseView[];
  now: number;
  /** How often each phase was entered, by its element. */
  times?: Map<string, number> | undefined;
  norms?: Norms | undefined;
  /** The elements of phases that the token may be moved to. */
  allowed?: Set<string>;
  onPick?: (element: string) => void;
}

function Timeline({ phases, now, times, norms, allowed, onPick }: TimelineProps) {
  return (
    <ol class="timeline" aria-label={t('flow.timeline')}>
      {phases.map((phase) => (
        <li
          key={phase.elementId}
          class={`phase phase-${phaseMood(phase)}`}
          aria-current={standing(phase) ? 'step' : undefined}
        >
          <span class="phase-title">{phase.title}</span>
          <Mark mood={phaseMood(phase)} text={phaseStateText(phase)} />
          <span class="quiet">
            {phaseTimes(phase, now)}
            {timesEntered(times?.get(phase.elementId))}
            {norms === undefined ? null : <Against phase={phase} norms={norms} now={now} />}
            {allowed?.has(phase.elementId) === true ? (
              <button type="button" class="link pick" onClick={() => onPick?.(phase.elementId)}>
                {t('move.here')}
                <span class="hidden"> {phase.title}</span>
              </button>
            ) : null}
          </span>
          {phase.state === 'SKIPPED' ? <span class="quiet small">{phase.message}</span> : null}
        </li>
      ))}
    </ol>
  );
}

/** How long it took against what is usual; only what takes longer is said. */
function Against({ phase, norms, now }: { phase: PhaseView; norms: Norms; now: number }) {
  const norm = norms.get(phase.name);
  const pace = paceOf(phase, norms, now);
  if (norm === undefined || pace !== 'slowest') return null;
  return <strong class="slow"> {t('norms.slow', { usual: span(norm.p50), most: span(norm.p95) })}</strong>;
}
