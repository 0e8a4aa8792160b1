import { useId, useState } from 'preact/hooks';
import { Act } from './act';
import { decide } from './api';
import type { Choice, PhaseView, Subject, Wish } from './api';
import { useAsking } from './asking';
import { Dialog } from './dialog';
import { choiceArguments, isFinal, needsReason } from './reading';
import { t } from './text';

interface DecideProps {
  subject: Subject;
  phase: PhaseView;
  /** The phases that come before, and this one: where it may start anew. */
  earlier: PhaseView[];
  onDecided: () => void;
}

/** What an operator may decide about a phase: opens the dialog, and says what became of it. */
export function Decide(props: DecideProps) {
  const { subject, phase, onDecided } = props;
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState('');
  return (
    <div class="row">
      <Act
        action="OPERATE"
        about={t('decide.about', { phase: phase.title, name: subject.name })}
        onAct={() => {
          setDone('');
          setOpen(true);
        }}
      >
        {t('decide.open')}
      </Act>
      <span role="status" class="quiet">
        {done}
      </span>
      {open ? (
        <Decision
          {...props}
          onClose={() => {
            setOpen(false);
          }}
          onDecided={(text) => {
            setOpen(false);
            setDone(text);
            onDecided();
          }}
        />
      ) : null}
    </div>
  );
}

interface DecisionProps extends Omit<DecideProps, 'onDecided'> {
  /** The phase to start from, if somebody pointed at one. */
  from?: string | undefined;
  onClose: () => void;
  onDecided: (text: string) => void;
}

/** The choices about a phase, each with its consequence, and what they need. */
export function Decision({ subject, phase, earlier, from: start, onClose, onDecided }: DecisionProps) {
  const choices = phase.choices ?? [];
  const [wish, setWish] = useState<Wish>(start === undefined ? { choice: choices[0] ?? 'RETRY' } : { choice: 'RETRY_FROM', from: start });
  // The run that the person saw when the dialog opened: the phase may move on meanwhile.
  const [run] = useState(phase.run);
  const { asked, ask } = useAsking();
  const choice = choices.includes(wish.choice) ? wish.choice : (choices[0] ?? 'RETRY');
  const from = wish.from ?? earlier[0]?.name;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    let text = '';
    const done = await ask(async () => {
      const outcome = await decide(subject, sent({ ...wish, choice, from }, run));
      text = t(outcome === 'applied' ? 'decide.applied' : 'decide.recorded');
      return text;
    });
    if (done) onDecided(text);
  }

  return (
    <Dialog title={t('decide.title', { phase: phase.title })} onClose={onClose}>
      <p class="quiet">
        {subject.namespace}/{subject.name}
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <Choices
          choices={choices}
          choice={choice}
          onChoose={(next) => {
            setWish(withoutArgument(wish, next));
          }}
        />
        <Details wish={{ ...wish, choice, from }} earlier={earlier} onChange={setWish} />
        <p role="alert" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
          {asked.state === 'asking' ? t('decide.asking') : null}
          {asked.state === 'refused' ? t('decide.refused', { why: asked.text }) : null}
        </p>
        <div class="row end">
          <button type="button" class="plain" onClick={onClose}>
            {t('decide.cancel')}
          </button>
          <button type="submit" class={isFinal(choice) ? 'danger' : undefined} disabled={asked.state === 'asking'}>
            {t('decide.do')}: {t(`choice.${choice}`)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoicesProps {
  choices: Choice[];
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** Each choice with its consequence in words. */
function Choices({ choices, choice, onChoose }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset class="choices">
      <legend>{t('decide.choices')}</legend>
      {choices.map((one) => (
        <label key={one} class="choice">
          <input
            type="radio"
            name={`${id}-choice`}
            value={one}
            checked={one === choice}
            aria-describedby={`${id}-${one}`}
            onChange={() => {
              onChoose(one);
            }}
          />
          <span>
            <strong>{t(`choice.${one}`)}</strong>
            <span class="small quiet" id={`${id}-${one}`}>
              {t(`choice.${one}.means`)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What the choice needs beside itself. */
function Details({ wish, earlier, onChange }: { wish: Wish; earlier: PhaseView[]; onChange: (wish: Wish) => void }) {
  const { choice } = wish;
  const argument = choiceArguments[choice];
  const reasonNeeded = needsReason(choice, wish.override === true);
  return (
    <>
      {choice === 'RETRY_FROM' ? (
        <>
        <label class="field">
          {t('decide.from')}
          <select
            name="from"
            value={wish.from}
            onChange={(event) => {
              onChange({ ...wish, from: event.currentTarget.value });
            }}
          >
            {earlier.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <Again earlier={earlier} from={wish.from} />
        </>
      ) : null}
      {choice === 'WAIT_MORE' ? (
        <Field label={t('decide.duration')} name="duration" example="PT2H" value={wish.duration} onType={(duration) => {
          onChange({ ...wish, duration });
        }} />
      ) : null}
      {argument === undefined ? null : (
        <Field label={t(argument.label)} name="argument" example={argument.example} value={wish.argument} required onType={(text) => {
          onChange({ ...wish, argument: text });
        }} />
      )}
      {choice === 'MARK_DONE' ? (
        <label class="check">
          <input
            type="checkbox"
            checked={wish.override === true}
            onChange={(event) => {
              onChange({ ...wish, override: event.currentTarget.checked });
            }}
          />
          {t('decide.override')}
        </label>
      ) : null}
      <Field label={t(reasonNeeded ? 'decide.why.needed' : 'decide.why')} hint={t('decide.why.hint')} name="reason" value={wish.reason}
        required={reasonNeeded}
        onType={(reason) => {
          onChange({ ...wish, reason });
        }}
      />
    </>
  );
}

/** What starting from a phase means: which ones run once more, and which one is left. */
function Again({ earlier, from }: { earlier: PhaseView[]; from: string | undefined }) {
  const begin = Math.max(0, earlier.findIndex((one) => one.name === from));
  const again = earlier.slice(begin);
  const here = earlier[earlier.length - 1];
  return (
    <p class="again" role="status">
      {here === undefined ? null : t('decide.leaves', { phase: here.title })}{' '}
      {t('decide.again', { phases: again.map((one) => one.title).join(' → ') })}
    </p>
  );
}

interface FieldProps {
  label: string;
  name: string;
  hint?: string;
  example?: string;
  value: string | undefined;
  required?: boolean;
  onType: (text: string) => void;
}

export function Field({ label, name, hint, example, value, required = false, onType }: FieldProps) {
  const id = useId();
  return (
    <label class="field">
      {label}
      <input
        name={name}
        placeholder={example}
        required={required}
        maxLength={1000}
        autocomplete="off"
        aria-describedby={hint === undefined ? undefined : id}
        value={value ?? ''}
        onInput={(event) => {
          onType(event.currentTarget.value);
        }}
      />
      {hint === undefined ? null : (
        <span class="small quiet" id={id}>
          {hint}
        </span>
      )}
    </label>
  );
}

/** What was typed for one choice means something else for another. */
function withoutArgument(wish: Wish, choice: Choice): Wish {
  const next: Wish = { ...wish, choice };
  delete next.argument;
  return next;
}

/** Only what belongs to the choice, and always the run that the person saw. */
function sent(wish: Wish, run: string | null | undefined): Wish {
  const { choice } = wish;
  const result: Wish = { choice };
  if (run != null) result.run = run;
  if (choice === 'RETRY_FROM' && wish.from !== undefined) result.from = wish.from;
  if (choice === 'WAIT_MORE' && wish.duration) result.duration = wish.duration.trim();
  if (choice === 'MARK_DONE' && wish.override === true) result.override = true;
  if (choiceArguments[choice] !== undefined && wish.argument) result.argument = wish.argument.trim();
  if (wish.reason) result.reason = wish.reason;
  return result;
}
