import { useId, useState } from 'preact/hooks';
import { decide } from './api';
import type { Choice, ClusterView, PhaseView, Wish } from './api';
import { choiceArguments, choiceTexts, needsReason } from './reading';

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
  const reasonNeeded = needsReason(choice, wish.override === true);
  const argument = choiceArguments[choice];

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
          setWish(withoutArgument(wish, event.currentTarget.value as Choice));
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
      {argument === undefined ? null : (
        <input
          aria-label={argument.label}
          placeholder={`${argument.label}: ${argument.example}`}
          class="argument"
          required
          maxLength={2000}
          value={wish.argument ?? ''}
          onInput={(event) => {
            setWish({ ...wish, argument: event.currentTarget.value });
          }}
        />
      )}
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
        placeholder={reasonNeeded ? 'Why (needed)' : 'Why'}
        required={reasonNeeded}
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

/** What was typed for one choice means something else for another. */
function withoutArgument(wish: Wish, choice: Choice): Wish {
  const next: Wish = { ...wish, choice };
  delete next.argument;
  return next;
}

/** Only what belongs to the choice, and always the run that the person saw. */
function sent(wish: Wish, phase: PhaseView): Wish {
  const { choice } = wish;
  const result: Wish = { choice };
  if (phase.run != null) result.run = phase.run;
  if (choice === 'RETRY_FROM' && wish.from !== undefined) result.from = wish.from;
  if (choice === 'WAIT_MORE' && wish.duration) result.duration = wish.duration;
  if (choice === 'MARK_DONE' && wish.override === true) result.override = true;
  if (choiceArguments[choice] !== undefined && wish.argument) result.argument = wish.argument.trim();
  if (wish.reason) result.reason = wish.reason;
  return result;
}
