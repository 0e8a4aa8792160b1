import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { cockpitUrl, retry } from './api';
import type { ClusterView, FlowView, PhaseView } from './api';
import { useAsking } from './asking';
import { Credentials } from './credentials';
import { Decide } from './decide';
import { Diagram } from './diagram';
import { age, until, words } from './format';
import { Mark } from './mark';
import { flowEnd, flowMood, nextCheck, phaseMood, phaseStateText, phaseTimes, reasonOf, standing } from './reading';
import { t } from './text';

interface FlowProps {
  flow: FlowView;
  /** The flows that it called: they are a part of it. */
  called: FlowView[];
  now: number;
  cluster: ClusterView;
  /** Whether it is the one to look at first: its diagram is shown from the start. */
  first: boolean;
  onChanged: () => void;
}

/** One flow: where it stands and what to do, its diagram, its phases in words. */
export function Flow({ flow, called, now, cluster, first, onChanged }: FlowProps) {
  const inner = called.some((one) => one.state === 'RUNNING');
  const here = flow.phases.filter(standing);
  return (
    <section class="flow" aria-label={t('flow.label', { kind: flow.kind, name: cluster.name })}>
      <FlowHead flow={flow} now={now} cluster={cluster} onRetried={onChanged} />
      {flow.incident == null ? null : <Notice text={flow.incident} />}
      {flow.state === 'RUNNING'
        ? here.map((phase) => (
            <Standing key={phase.elementId} phase={phase} flow={flow} now={now} cluster={cluster} onDecided={onChanged} />
          ))
        : null}
      <Fold open={first || flow.state === 'RUNNING'}>
        <Diagrams key={flow.id} flow={flow} called={called} now={now} open={first && !inner} />
        <Timeline phases={flow.phases} now={now} />
      </Fold>
      {flow.kind === 'import' ? <Credentials cluster={cluster} onReplaced={onChanged} /> : null}
      {called.map((one) => (
        <Flow key={one.id} flow={one} called={[]} now={now} cluster={cluster} first={first && inner} onChanged={onChanged} />
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
  cluster: ClusterView;
  onRetried: () => void;
}

function FlowHead({ flow, now, cluster, onRetried }: FlowHeadProps) {
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
          {flow.parent == null ? <RetryButton cluster={cluster} onRetried={onRetried} /> : null}
          <a href={cockpitUrl(flow.id)}>{t('flow.cockpit')}</a>
        </div>
      ) : null}
    </div>
  );
}

function RetryButton({ cluster, onRetried }: { cluster: ClusterView; onRetried: () => void }) {
  const { asked, ask } = useAsking();

  async function again(): Promise<void> {
    const done = await ask(async () => {
      await retry(cluster.namespace, cluster.name);
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
      <button type="button" class="plain" disabled={asked.state === 'asking'} onClick={() => void again()}>
        {t('retry.button')}
        <span class="hidden"> {t('retry.about', { name: cluster.name })}</span>
      </button>
    </>
  );
}

interface StandingProps {
  phase: PhaseView;
  flow: FlowView;
  now: number;
  cluster: ClusterView;
  onDecided: () => void;
}

/** A phase where the token stands: why, since when, and what can be done. */
function Standing({ phase, flow, now, cluster, onDecided }: StandingProps) {
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
        <Decide cluster={cluster} phase={phase} earlier={flow.phases.slice(0, index + 1)} onDecided={onDecided} />
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

/** What is over and not the latest is folded away. */
function Fold({ open, children }: { open: boolean; children: ComponentChildren }) {
  if (open) return <>{children}</>;
  return (
    <details>
      <summary>{t('flow.timeline')}</summary>
      {children}
    </details>
  );
}

/** The diagram, loaded when somebody wants to see it. */
function Diagrams({ flow, called, now, open }: { flow: FlowView; called: FlowView[]; now: number; open: boolean }) {
  const [shown, setShown] = useState(open);
  return (
    <>
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
      {shown ? <Diagram flow={flow} called={called} now={now} /> : null}
    </>
  );
}

function Timeline({ phases, now }: { phases: PhaseView[]; now: number }) {
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
          <span class="quiet">{phaseTimes(phase, now)}</span>
          {phase.state === 'SKIPPED' ? <span class="quiet small">{phase.message}</span> : null}
        </li>
      ))}
    </ol>
  );
}
