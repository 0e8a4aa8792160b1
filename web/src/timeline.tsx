import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { apiUrl, cockpitUrl, reader, retry } from './api';
import type { ClusterDetails, ClusterView, FlowView, PhaseView } from './api';
import { age, span, until, words } from './format';
import { Mark } from './mark';
import { usePolled } from './poll';
import { Credentials } from './credentials';
import { Decide } from './decide';
import { flowEnd, nested, phaseMood, phaseStateText, progress, reasonOf } from './reading';

/** One cluster's flows, phase by phase, read by themselves while they are open. */
export function ClusterFlows({ cluster, now }: { cluster: ClusterView; now: number }) {
  const { namespace, name } = cluster;
  const load = useMemo(() => reader<ClusterDetails>(apiUrl('clusters', namespace, name)), [namespace, name]);
  const { data, error, reload } = usePolled(load);
  return (
    <div class="details">
      {error === undefined ? null : <Notice text={error.message} />}
      {data?.warning == null ? null : <Notice text={data.warning} />}
      {data === undefined && error === undefined ? <p class="quiet">Reading the phases…</p> : null}
      {data?.flows.length === 0 ? <p class="quiet">No flow has started for this cluster yet.</p> : null}
      {nested(data?.flows ?? []).map(({ flow, called }) => (
        <Flow key={flow.id} flow={flow} called={called} now={now} cluster={cluster} onChanged={reload} />
      ))}
    </div>
  );
}

interface FlowProps {
  flow: FlowView;
  /** The flows that it called: they are a part of it. */
  called: FlowView[];
  now: number;
  cluster: ClusterView;
  onChanged: () => void;
}

function Flow({ flow, called, now, cluster, onChanged }: FlowProps) {
  return (
    <section class="flow" aria-label={`Flow ${flow.kind} of ${cluster.name}`}>
      <FlowHead flow={flow} now={now} cluster={cluster} onRetried={onChanged} />
      {flow.incident == null ? null : <Notice text={flow.incident} />}
      <Timeline phases={flow.phases} now={now} cluster={cluster} onDecided={onChanged} />
      {flow.kind === 'import' ? <Credentials cluster={cluster} onReplaced={onChanged} /> : null}
      {called.map((one) => (
        <Flow key={one.id} flow={one} called={[]} now={now} cluster={cluster} onChanged={onChanged} />
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
  return (
    <div class="flow-head">
      <p>
        Flow <strong>{flow.kind}</strong>, {flow.parent == null ? `started by ${flow.startedBy}` : 'a part of it, started'}{' '}
        {age(flow.startedAt, now)} ago
        {running ? `, ${progress(flow)} phases done` : `: ${flowEnd(flow)}`}
      </p>
      {running ? (
        <div class="flow-actions">
          {flow.parent == null ? <RetryButton cluster={cluster} onRetried={onRetried} /> : null}
          <a href={cockpitUrl(flow.id)}>Show in Cockpit</a>
        </div>
      ) : null}
    </div>
  );
}

type Asked = { state: 'idle' | 'asking' | 'asked' } | { state: 'refused'; why: string };

function RetryButton({ cluster, onRetried }: { cluster: ClusterView; onRetried: () => void }) {
  const [asked, setAsked] = useState<Asked>({ state: 'idle' });

  async function ask(): Promise<void> {
    setAsked({ state: 'asking' });
    try {
      await retry(cluster.namespace, cluster.name);
      setAsked({ state: 'asked' });
      onRetried();
    } catch (error) {
      setAsked({ state: 'refused', why: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <>
      <span role="status" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
        {asked.state === 'asked' ? 'Started anew.' : null}
        {asked.state === 'refused' ? `Not retried: ${asked.why}` : null}
      </span>
      <button type="button" disabled={asked.state === 'asking'} onClick={() => void ask()}>
        Retry<span class="hidden"> the current phase of {cluster.name}</span>
      </button>
    </>
  );
}

interface TimelineProps {
  phases: PhaseView[];
  now: number;
  cluster: ClusterView;
  onDecided: () => void;
}

function Timeline({ phases, now, cluster, onDecided }: TimelineProps) {
  return (
    <ol class="timeline">
      {phases.map((phase, index) => (
        <PhaseRow key={phase.elementId} phase={phase} now={now}>
          {(phase.choices ?? []).length === 0 ? null : (
            <Decide cluster={cluster} phase={phase} earlier={phases.slice(0, index + 1)} onDecided={onDecided} />
          )}
        </PhaseRow>
      ))}
    </ol>
  );
}

function PhaseRow({ phase, now, children }: { phase: PhaseView; now: number; children: ComponentChildren }) {
  const mood = phaseMood(phase);
  const standing = mood === 'active' || mood === 'retrying' || mood === 'stuck' || mood === 'paused';
  return (
    <li class={`phase phase-${mood}`} aria-current={standing ? 'step' : undefined}>
      <div class="phase-line">
        <span class="phase-title">{phase.title}</span>
        <Mark mood={mood} text={phaseStateText(phase)} />
        <span class="quiet">{phaseTimes(phase, now)}</span>
      </div>
      {standing ? <PhaseFacts phase={phase} now={now} /> : null}
      {standing ? children : null}
      {phase.state === 'SKIPPED' ? <p class="quiet">{phase.message}</p> : null}
    </li>
  );
}

function phaseTimes(phase: PhaseView, now: number): string {
  if (phase.since == null) return '';
  const runs = phase.attempt === 1 ? '1 run' : `${phase.attempt} runs`;
  const end = phase.until == null ? now : Date.parse(phase.until);
  return `${phase.until == null ? 'for' : 'took'} ${span(end - Date.parse(phase.since))}, ${runs}`;
}

function PhaseFacts({ phase, now }: { phase: PhaseView; now: number }) {
  return (
    <div class="phase-facts">
      <p>
        <strong>{reasonOf(phase)}</strong> {phase.message}
      </p>
      <dl>
        <Fact name="Last check" value={phase.lastCheck == null ? 'not yet' : `${age(phase.lastCheck, now)} ago`} />
        <Fact name="Next check" value={nextCheck(phase, now)} />
        <Fact name="Stuck" value={stuckText(phase, now)} />
        {phase.cause == null || phase.cause.code === phase.reason ? null : (
          <Fact name="Cause" value={`${words(phase.cause.code)}: ${phase.cause.message}`} wide />
        )}
        {phase.lastError == null ? null : (
          <Fact name="Last error" value={`${phase.lastErrorCode ?? 'Error'}: ${phase.lastError}`} wide />
        )}
      </dl>
      {phase.actions.length === 0 ? null : (
        <>
          <p class="facts-head">What you can do</p>
          <ol class="actions">
            {phase.actions.map((action) => (
              <li key={action}>{action}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

export function nextCheck(phase: PhaseView, now: number): string {
  return phase.nextCheck == null ? 'after an operator acts' : until(phase.nextCheck, now);
}

function stuckText(phase: PhaseView, now: number): string {
  if (phase.stuck) return 'yes, an operator is asked';
  return phase.stuckAt == null ? 'never' : until(phase.stuckAt, now);
}

function Fact({ name, value, wide = false }: { name: string; value: string; wide?: boolean }) {
  return (
    <div class={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
