import { useId, useState } from 'preact/hooks';
import { decide } from './api';
import type { Choice, ClusterView, PhaseView, Wish } from './api';
import { choiceTexts } from './reading';

interface DecideProps {
  cluster: ClusterView;
  phase: PhaseView;
  /** The phases that come before, and this one: where it may start anew. */
  earlier: PhaseView[];
  onDecided: () => void;
}

type Asked = { state: 'idle' | 'asking' } | { state: 'done' | 'refused'; text: string };

/** What an operator may decide about a phase, with what each choice needs. */
export function Decide({ cluster, phase, earlier, onDecided }: DecideProps) {
  const id = useId();
  const choices = phase.choices ?? [];
  const [wish, setWish] = useState<Wish>({ choice: choices[0] ?? 'RETRY' });
  const [asked, setAsked] = useState<Asked>({ state: 'idle' });
  const choice = choices.includes(wish.choice) ? wish.choice : (choices[0] ?? 'RETRY');
  const from = wish.from ?? earlier[0]?.name;
  const needsReason = choice === 'SKIP' || choice === 'ABORT' || (choice === 'MARK_DONE' && wish.override === true);

  async function ask(event: Event): Promise<void> {
    event.preventDefault();
    setAsked({ state: 'asking' });
    try {
      const outcome = await decide(cluster.namespace, cluster.name, sent({ ...wish, choice, from }, phase));
      setAsked({ state: 'done', text: outcome === 'applied' ? 'Decided.' : 'Recorded; it will be applied.' });
      onDecided();
    } catch (error) {
      setAsked({ state: 'refused', text: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <form class="decide" aria-label={`Decide about ${phase.title}`} onSubmit={(event) => void ask(event)}>
      <label for={`${id}-choice`}>Decide</label>
      <select
        id={`${id}-choice`}
        value={choice}
        onChange={(event) => {
          setWish({ ...wish, choice: event.currentTarget.value as Choice });
        }}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {choiceTexts[one]}
          </option>
        ))}
      </select>
      {choice === 'RETRY_FROM' ? (
        <select
          aria-label="Phase to start from"
          value={from}
          onChange={(event) => {
            setWish({ ...wish, from: event.currentTarget.value });
          }}
        >
          {earlier.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </select>
      ) : null}
      {choice === 'WAIT_MORE' ? (
        <input
          aria-label="How long, ISO 8601; empty means as drawn"
          placeholder="PT2H"
          value={wish.duration ?? ''}
          onInput={(event) => {
            setWish({ ...wish, duration: event.currentTarget.value });
          }}
        />
      ) : null}
      {choice === 'MARK_DONE' ? (
        <label>
          <input
            type="checkbox"
            checked={wish.override === true}
            onChange={(event) => {
              setWish({ ...wish, override: event.currentTarget.checked });
            }}
          />{' '}
          even if the check does not pass
        </label>
      ) : null}
      <input
        aria-label="Why"
        placeholder={needsReason ? 'Why (needed)' : 'Why'}
        required={needsReason}
        maxLength={2000}
        value={wish.reason ?? ''}
        onInput={(event) => {
          setWish({ ...wish, reason: event.currentTarget.value });
        }}
      />
      <button type="submit" disabled={asked.state === 'asking'}>
        Decide<span class="hidden"> about {phase.title} of {cluster.name}</span>
      </button>
      <span role="status" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
        {asked.state === 'done' ? asked.text : null}
        {asked.state === 'refused' ? `Not decided: ${asked.text}` : null}
      </span>
    </form>
  );
}

/** Only what belongs to the choice, and always the run that the person saw. */
function sent(wish: Wish, phase: PhaseView): Wish {
  const { choice } = wish;
  const result: Wish = { choice };
  if (phase.run != null) result.run = phase.run;
  if (choice === 'RETRY_FROM' && wish.from !== undefined) result.from = wish.from;
  if (choice === 'WAIT_MORE' && wish.duration) result.duration = wish.duration;
  if (choice === 'MARK_DONE' && wish.override === true) result.override = true;
  if (wish.reason) result.reason = wish.reason;
  return result;
}
