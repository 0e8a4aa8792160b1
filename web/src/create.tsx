import { useEffect, useRef, useState } from 'preact/hooks';
import { parse, stringify } from 'yaml';
import { Act } from './act';
import { checkCluster, createCluster } from './api';
import { useAsking, useOnce } from './asking';
import { CreateForm } from './create-form';
import { at, newDraft } from './draft';
import type { Draft } from './draft';
import { ApiError, sentenceOf, textOf } from './http';
import type { FieldError } from './http';
import { Mark } from './mark';
import { clusterHref, fleetHref } from './router';
import { useBar } from './session';
import { Heading } from './shell';
import { t } from './text';

/** How long somebody may type on before the server is asked. */
const typing = 500;

/** Without these there is nothing to check. */
const needed = [
  ['metadata', 'namespace'],
  ['metadata', 'name'],
  ['spec', 'version'],
];

/** What the server says about a draft. */
export type Checked =
  | { state: 'incomplete' | 'checking' | 'good' }
  | { state: 'wrong'; errors: FieldError[]; text: string };

/** Declares a cluster: a form and the YAML of the same, checked by the server while somebody types. */
export function CreatePage() {
  const [draft, setDraft] = useState<Draft>(() => newDraft('default'));
  const [yaml, setYaml] = useState(() => stringify(newDraft('default')));
  const [broken, setBroken] = useState('');
  const bar = useBar('CREATE');
  const { checked, setChecked } = useChecked(draft, broken === '' && bar === undefined);
  const { asked, ask } = useAsking();
  const once = useOnce();

  function change(next: Draft): void {
    setDraft(next);
    setYaml(stringify(next));
    setBroken('');
  }

  function type(text: string): void {
    setYaml(text);
    try {
      const next: unknown = parse(text);
      if (typeof next !== 'object' || next === null || Array.isArray(next)) throw new Error(t('create.notobject'));
      setDraft(next as Draft);
      setBroken('');
    } catch (error) {
      setBroken(textOf(error));
    }
  }

  async function create(): Promise<void> {
    if (bar !== undefined || broken !== '' || asked.state === 'asking') return;
    const done = await ask(async () => {
      try {
        await once(draft, (key) => createCluster(draft, key));
      } catch (error) {
        if (error instanceof ApiError && error.fields.length > 0) {
          setChecked({ state: 'wrong', errors: error.fields, text: error.message });
        }
        throw error;
      }
      return '';
    });
    if (done) location.hash = clusterHref({ namespace: textAt(draft, ['metadata', 'namespace']), name: textAt(draft, ['metadata', 'name']) });
  }

  const errors = checked.state === 'wrong' ? checked.errors : [];
  return (
    <>
      <p class="crumbs">
        <a href={fleetHref}>{t('cluster.back')}</a>
      </p>
      <div class="page-head">
        <Heading title={t('create.title')} />
      </div>
      <form
        class="create"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <CreateForm draft={draft} errors={errors} onChange={change} />
        <div class="create-side">
          <div class="create-state card">
            <CheckedState checked={checked} broken={broken} />
            <p role="alert" class="bad">
              {asked.state === 'refused' ? t('create.refused', { why: asked.text }) : null}
            </p>
            <div class="row end">
              <a class="button plain" href={fleetHref}>
                {t('decide.cancel')}
              </a>
              <Act action="CREATE" busy={asked.state === 'asking'} onAct={() => void create()}>
                {t('create.do')}
              </Act>
            </div>
          </div>
          <label class="field">
            {t('create.yaml')}
            <textarea
              name="yaml"
              rows={26}
              spellcheck={false}
              wrap="off"
              aria-invalid={broken !== ''}
              value={yaml}
              onInput={(event) => {
                type(event.currentTarget.value);
              }}
            />
          </label>
          <p class="quiet small">{t('create.yaml.hint')}</p>
        </div>
      </form>
    </>
  );
}

function CheckedState({ checked, broken }: { checked: Checked; broken: string }) {
  return (
    <div role="status">
      {broken === '' ? null : (
        <>
          <Mark mood="stuck" text={t('create.broken')} />
          <pre>{broken}</pre>
        </>
      )}
      {broken === '' && checked.state === 'incomplete' ? <Mark mood="pending" text={t('create.incomplete')} /> : null}
      {broken === '' && checked.state === 'checking' ? <Mark mood="active" text={t('create.checking')} /> : null}
      {broken === '' && checked.state === 'good' ? <Mark mood="done" text={t('create.good')} /> : null}
      {broken === '' && checked.state === 'wrong' ? (
        <>
          <Mark mood="stuck" text={checked.errors.length === 0 ? t('create.failed') : t('create.wrong', { n: checked.errors.length })} />
          {checked.errors.length === 0 ? <p>{checked.text}</p> : null}
          <ul class="plain-list">
            {checked.errors.map((one) => (
              <li key={`${one.field} ${one.message}`} class="small">
                <code>{one.field}</code> {sentenceOf(one)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** Has the server check the draft whenever somebody has stopped typing for a moment. */
function useChecked(draft: Draft, wanted: boolean): { checked: Checked; setChecked: (checked: Checked) => void } {
  const [checked, setChecked] = useState<Checked>({ state: 'incomplete' });
  const latest = useRef(0);
  const complete = needed.every((path) => textAt(draft, path) !== '');
  useEffect(() => {
    latest.current += 1;
    const mine = latest.current;
    if (!wanted || !complete) {
      setChecked({ state: 'incomplete' });
      return;
    }
    const timer = setTimeout(() => {
      setChecked({ state: 'checking' });
      checkCluster(draft).then(
        () => {
          if (mine === latest.current) setChecked({ state: 'good' });
        },
        (error: unknown) => {
          if (mine !== latest.current) return;
          const errors = error instanceof ApiError ? error.fields : [];
          setChecked({ state: 'wrong', errors, text: textOf(error) });
        },
      );
    }, typing);
    return () => {
      clearTimeout(timer);
    };
  }, [draft, wanted, complete]);
  return { checked, setChecked };
}

function textAt(draft: Draft, path: readonly string[]): string {
  const found = at(draft, path);
  return typeof found === 'string' ? found : '';
}
