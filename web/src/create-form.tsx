import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ClusterClassView, VariableSchema } from './api';
import { at, errorsAt, errorsElsewhere, fieldOf, put, textOf, valueOf } from './draft';
import type { Draft, Json, Path } from './draft';
import { apiUrl, read, sentenceOf } from './http';
import type { FieldError } from './http';
import { useNamespaces } from './namespaces';
import { t } from './text';
import type { Key } from './text';

interface FormProps {
  draft: Draft;
  errors: FieldError[];
  onChange: (draft: Draft) => void;
}

const topology: Path = ['spec', 'topology'];
const template: Path = ['spec', 'templateRef'];
const workers: Path = [...topology, 'workers'];
const variables: Path = [...topology, 'variables'];

/** What most clusters need; all else is written in the YAML. */
export function CreateForm({ draft, errors, onChange }: FormProps) {
  const namespace = textOf(at(draft, ['metadata', 'namespace']));
  const namespaces = useNamespaces('');
  const classes = useClasses();
  const fromTemplate = at(draft, template) !== undefined;
  const form = { draft, errors, onChange };
  return (
    <div class="create-form">
      <Elsewhere {...form} />
      <fieldset>
        <legend>{t('create.what')}</legend>
        <Text {...form} path={['metadata', 'namespace']} label="fleet.namespace" options={namespaces} required />
        <Text {...form} path={['metadata', 'name']} label="create.name" example="prod-east" required />
        <Text {...form} path={['spec', 'version']} label="create.version" example="v1.36.3" required />
      </fieldset>
      <fieldset>
        <legend>{t('create.how')}</legend>
        <Sources {...form} fromTemplate={fromTemplate} />
        {fromTemplate ? (
          <>
            <Text {...form} path={[...template, 'name']} label="create.template" example="edge-template" required />
            <Text {...form} path={[...template, 'key']} label="create.template.key" example="template.yaml" />
          </>
        ) : (
          <Topology {...form} classes={classes} namespace={namespace} />
        )}
      </fieldset>
      <fieldset>
        <legend>{t('create.network')}</legend>
        <Ranges {...form} path={['spec', 'clusterNetwork', 'pods', 'cidrBlocks']} label="create.pods" example="192.168.0.0/16" />
        <Ranges {...form} path={['spec', 'clusterNetwork', 'services', 'cidrBlocks']} label="create.services" example="10.96.0.0/12" />
        <Text {...form} path={['spec', 'clusterNetwork', 'serviceDomain']} label="create.domain" example="cluster.local" />
        <Text {...form} path={['spec', 'controlPlaneEndpoint', 'host']} label="create.endpoint" example="edge-7.example.test" />
        <Text {...form} path={['spec', 'controlPlaneEndpoint', 'port']} label="create.port" example="6443" type="integer" />
      </fieldset>
      <fieldset>
        <legend>{t('create.rest')}</legend>
        <Choice {...form} path={['spec', 'certificates', 'keyAlgorithm']} label="create.keys" values={['RSA', 'ECDSA']} />
        <Choice {...form} path={['spec', 'deletion', 'policy']} label="create.deletion" values={['Full', 'Detach', 'Forget']} />
        <Flag {...form} path={['spec', 'deletion', 'protected']} label="create.protected" />
        <Flag {...form} path={['spec', 'dryRun']} label="create.dryRun" />
        <Flag {...form} path={['spec', 'paused']} label="create.paused" />
      </fieldset>
    </div>
  );
}

/** The classes that there are, as far as somebody may see them; without them the name is typed. */
function useClasses(): ClusterClassView[] {
  const [classes, setClasses] = useState<ClusterClassView[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    read<{ items: ClusterClassView[] }>(apiUrl('cluster-classes'), ended.signal).then(
      ({ items }) => {
        setClasses(items);
      },
      () => undefined,
    );
    return () => {
      ended.abort();
    };
  }, []);
  return classes;
}

/** Fields of the object that the form has no place for are named in full. */
function Elsewhere({ draft, errors }: FormProps) {
  const places = [
    ['metadata', 'namespace'],
    ['metadata', 'name'],
    ['spec', 'version'],
    ['spec', 'clusterNetwork'],
    ['spec', 'controlPlaneEndpoint'],
    ['spec', 'certificates', 'keyAlgorithm'],
    ['spec', 'deletion'],
    ['spec', 'dryRun'],
    ['spec', 'paused'],
    ...(at(draft, template) === undefined ? [[...topology]] : [[...template]]),
  ].map(fieldOf);
  const rest = errorsElsewhere(errors, places);
  if (rest.length === 0) return null;
  return (
    <div class="notice">
      <Errors errors={rest} named />
    </div>
  );
}

function Errors({ errors, named = false, id }: { errors: FieldError[]; named?: boolean; id?: string }) {
  if (errors.length === 0) return null;
  return (
    <ul class="plain-list field-errors" id={id}>
      {errors.map((one) => (
        <li key={`${one.field} ${one.message}`}>
          {named ? <code>{one.field}</code> : null} {sentenceOf(one)}
        </li>
      ))}
    </ul>
  );
}

function Sources({ draft, onChange, fromTemplate }: FormProps & { fromTemplate: boolean }) {
  const id = useId();
  const choose = (next: boolean) => {
    if (next === fromTemplate) return;
    const empty = next ? put(draft, topology, undefined) : put(draft, template, undefined);
    onChange(next ? put(empty, template, { name: '' }) : put(empty, topology, { class: '' }));
  };
  return (
    <div class="row" role="radiogroup" aria-label={t('create.how')}>
      {[false, true].map((one) => (
        <label key={String(one)} class="check">
          <input
            type="radio"
            name={`${id}-source`}
            checked={one === fromTemplate}
            onChange={() => {
              choose(one);
            }}
          />
          {t(one ? 'create.from.template' : 'create.from.class')}
        </label>
      ))}
    </div>
  );
}

function Topology({ classes, namespace, ...form }: FormProps & { classes: ClusterClassView[]; namespace: string }) {
  const { draft, onChange } = form;
  const name = textOf(at(draft, [...topology, 'class']));
  const where = textOf(at(draft, [...topology, 'classNamespace'])) || namespace;
  const chosen = classes.find((one) => one.name === name && one.namespace === where);
  const groups = at(draft, workers);
  const count = Array.isArray(groups) ? groups.length : 0;
  return (
    <>
      <ClassField {...form} classes={classes} name={name} where={where} namespace={namespace} />
      <Text {...form} path={[...topology, 'controlPlane', 'replicas']} label="create.replicas" example="3" type="integer" />
      {Array.from({ length: count }, (_, index) => (
        <Workers key={index} {...form} index={index} classes={chosen?.workers ?? []} />
      ))}
      <button
        type="button"
        class="plain"
        onClick={() => {
          const group = { class: chosen?.workers?.[0] ?? '', name: `md-${count}`, replicas: 1 };
          onChange(put(draft, [...workers, count], group));
        }}
      >
        {t('create.workers.add')}
      </button>
      {(chosen?.variables ?? []).map((one) => (
        <Variable key={one.name} {...form} name={one.name} required={one.required} schema={one.schema ?? {}} />
      ))}
    </>
  );
}

interface ClassFieldProps extends FormProps {
  classes: ClusterClassView[];
  name: string;
  where: string;
  namespace: string;
}

function ClassField({ classes, name, where, namespace, ...form }: ClassFieldProps) {
  if (classes.length === 0) return <Text {...form} path={[...topology, 'class']} label="create.class" required />;
  const { draft, errors, onChange } = form;
  const known = classes.some((one) => one.name === name && one.namespace === where);
  return (
    <Labelled label={t('create.class')} errors={[...errorsAt(errors, 'spec.topology.class'), ...errorsAt(errors, 'spec.topology.classNamespace')]}>
      {(described) => (
        <select
          {...described}
          name="spec.topology.class"
          value={known ? `${where}/${name}` : ''}
          onChange={(event) => {
            const [space = '', chosen = ''] = event.currentTarget.value.split('/');
            const named = put(draft, [...topology, 'class'], chosen);
            onChange(put(named, [...topology, 'classNamespace'], space === namespace || space === '' ? undefined : space));
          }}
        >
          <option value="">{name === '' || known ? t('create.class.choose') : name}</option>
          {classes.map((one) => (
            <option key={`${one.namespace}/${one.name}`} value={`${one.namespace}/${one.name}`}>
              {one.namespace === namespace ? one.name : `${one.namespace}/${one.name}`}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Workers({ index, classes, ...form }: FormProps & { index: number; classes: string[] }) {
  const { draft, onChange } = form;
  const path = [...workers, index];
  return (
    <div class="workers" role="group" aria-label={t('create.workers', { n: index + 1 })}>
      <Text {...form} path={[...path, 'name']} label="create.workers.name" required />
      <Text {...form} path={[...path, 'class']} label="create.workers.class" options={classes} required />
      <Text {...form} path={[...path, 'replicas']} label="create.workers.replicas" type="integer" />
      <button
        type="button"
        class="plain"
        onClick={() => {
          onChange(put(draft, path, undefined));
        }}
      >
        {t('create.workers.remove')}
        <span class="hidden"> {t('create.workers', { n: index + 1 })}</span>
      </button>
    </div>
  );
}

interface VariableProps extends FormProps {
  name: string;
  required: boolean;
  schema: VariableSchema;
}

/** A variable of the class, as its schema wants it. */
function Variable({ name, required, schema, draft, errors, onChange }: VariableProps) {
  const list = at(draft, variables);
  const set = Array.isArray(list) ? list : [];
  const index = set.findIndex((one) => at(one, ['name']) === name);
  const value = index < 0 ? undefined : at(set[index], ['value']);
  const change = (next: Json | undefined) => {
    const place = index < 0 ? set.length : index;
    onChange(put(draft, [...variables, place], next === undefined ? undefined : { name, value: next }));
  };
  const options = schema.type === 'boolean' ? [true, false] : schema.enum;
  const usual = schema.default === undefined ? '' : textOf(schema.default as Json);
  const wrong = index < 0 ? errorsAt(errors, `spec.topology.variables[${name}]`) : errorsAt(errors, fieldOf([...variables, index]));
  return (
    <Labelled label={name} hint={schema.description} needed={required} errors={wrong}>
      {(described) =>
        options === undefined ? (
          <input
            {...described}
            name={`variable.${name}`}
            placeholder={usual}
            inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
            value={textOf(value)}
            onInput={(event) => {
              change(valueOf(event.currentTarget.value, schema.type));
            }}
          />
        ) : (
          <select
            {...described}
            name={`variable.${name}`}
            value={textOf(value)}
            onChange={(event) => {
              change(valueOf(event.currentTarget.value, schema.type));
            }}
          >
            <option value="">{usual === '' ? '—' : t('create.usual', { value: usual })}</option>
            {options.map((one) => (
              <option key={textOf(one as Json)} value={textOf(one as Json)}>
                {textOf(one as Json)}
              </option>
            ))}
          </select>
        )
      }
    </Labelled>
  );
}

interface Described {
  id: string;
  required: boolean;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledProps {
  label: string;
  hint?: string | undefined;
  needed?: boolean;
  errors: FieldError[];
  children: (described: Described) => ComponentChildren;
}

/** A field with its name, and with what is wrong about it. */
function Labelled({ label, hint, needed = false, errors, children }: LabelledProps) {
  const id = useId();
  const wrong = errors.length > 0;
  const described = [hint === undefined ? '' : `${id}-hint`, wrong ? `${id}-errors` : ''].filter((one) => one !== '').join(' ');
  return (
    <div class={wrong ? 'field wrong' : 'field'}>
      <label for={id}>
        {label}
        {needed ? <span class="quiet"> {t('create.needed')}</span> : null}
      </label>
      {children({
        id,
        required: needed,
        'aria-invalid': wrong ? true : undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint === undefined ? null : (
        <span class="small quiet" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Errors errors={errors} id={`${id}-errors`} />
    </div>
  );
}

interface FieldProps extends FormProps {
  path: Path;
  label: Key;
}

interface TextProps extends FieldProps {
  example?: string;
  type?: 'string' | 'integer';
  required?: boolean;
  /** What there is to choose from; others may be typed. */
  options?: string[];
}

function Text({ draft, errors, onChange, path, label, example, type = 'string', required = false, options }: TextProps) {
  const field = fieldOf(path);
  const list = useId();
  const listed = options !== undefined && options.length > 0;
  return (
    <Labelled label={t(label)} needed={required} errors={errorsAt(errors, field)}>
      {(described) => (
        <>
          <input
            {...described}
            type="text"
            name={field}
            placeholder={example}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputMode={type === 'integer' ? 'numeric' : 'text'}
            {...(listed ? { list } : {})}
            value={textOf(at(draft, path))}
            onInput={(event) => {
              const value = valueOf(event.currentTarget.value, type);
              onChange(put(draft, path, value ?? (required ? '' : undefined)));
            }}
          />
          {!listed ? null : (
            <datalist id={list}>
              {options.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Labelled>
  );
}

/** Address ranges, separated by commas. */
function Ranges({ draft, errors, onChange, path, label, example }: FieldProps & { example: string }) {
  const value = at(draft, path);
  const ranges = Array.isArray(value) ? value.map(textOf).join(', ') : '';
  const [typed, setTyped] = useState(ranges);
  const split = (text: string) => text.split(/[\s,]+/).filter((one) => one !== '');
  // A comma at the end is on its way to a second range.
  const shown = split(typed).join(', ') === ranges ? typed : ranges;
  return (
    <Labelled label={t(label)} errors={errorsAt(errors, fieldOf(path))}>
      {(described) => (
        <input
          {...described}
          name={fieldOf(path)}
          placeholder={example}
          autocomplete="off"
          spellcheck={false}
          value={shown}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const next = split(text);
            onChange(put(draft, path, next.length === 0 ? undefined : next));
          }}
        />
      )}
    </Labelled>
  );
}

function Choice({ draft, errors, onChange, path, label, values }: FieldProps & { values: string[] }) {
  return (
    <Labelled label={t(label)} errors={errorsAt(errors, fieldOf(path))}>
      {(described) => (
        <select
          {...described}
          name={fieldOf(path)}
          value={textOf(at(draft, path))}
          onChange={(event) => {
            onChange(put(draft, path, event.currentTarget.value || undefined));
          }}
        >
          <option value="">{t('create.asdefault')}</option>
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Flag({ draft, errors, onChange, path, label }: FieldProps) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          name={fieldOf(path)}
          checked={at(draft, path) === true}
          onChange={(event) => {
            onChange(put(draft, path, event.currentTarget.checked ? true : undefined));
          }}
        />
        {t(label)}
      </label>
      <Errors errors={errorsAt(errors, fieldOf(path))} />
    </>
  );
}
