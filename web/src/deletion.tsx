import { useEffect, useId, useState } from 'preact/hooks';
import { Act } from './act';
import { previewDeletion, startDeletion } from './api';
import type { ClusterView, DeletionMode, DeletionPreview, DeletionWish, PreviewItem } from './api';
import { useAsking, useOnce } from './asking';
import { Field } from './decide';
import { Dialog } from './dialog';
import { textOf } from './http';
import { known, t } from './text';

/** Deletes a cluster, after a preview and with its name typed out. */
export function DeleteButton({ cluster, onStarted }: { cluster: ClusterView; onStarted: () => void }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState('');
  return (
    <span class="row push">
      <span role="status" class="quiet">
        {done}
      </span>
      <Act
        action="DELETE"
        class="plain warns"
        about={t('delete.about', { name: cluster.name })}
        onAct={() => {
          setDone('');
          setOpen(true);
        }}
      >
        {t('delete.open')}
      </Act>
      {open ? (
        <Deletion
          cluster={cluster}
          onClose={() => {
            setOpen(false);
          }}
          onStarted={() => {
            setOpen(false);
            setDone(t('delete.started'));
            onStarted();
          }}
        />
      ) : null}
    </span>
  );
}

const modes: readonly (DeletionMode | '')[] = ['', 'Full', 'Detach', 'Forget'];

interface DeletionProps {
  cluster: ClusterView;
  onClose: () => void;
  onStarted: () => void;
}

function Deletion({ cluster, onClose, onStarted }: DeletionProps) {
  const { namespace, name } = cluster;
  const [wish, setWish] = useState<DeletionWish>({ mode: '', confirm: '', reason: '', dryRun: false });
  const { asked, ask } = useAsking();
  const once = useOnce();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const confirm = wish.confirm.trim();
    const done = await ask(async () => {
      if (confirm !== name) throw new Error(t('delete.confirm.wrong', { name }));
      const sent = { ...wish, confirm, reason: wish.reason.trim() };
      await once(sent, (key) => startDeletion(namespace, name, sent, key));
      return '';
    });
    if (done) onStarted();
  }

  return (
    <Dialog title={t('delete.title', { name: `${namespace}/${name}` })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Modes
          mode={wish.mode}
          onChoose={(mode) => {
            setWish({ ...wish, mode });
          }}
        />
        <Preview cluster={cluster} mode={wish.mode} />
        <label class="check">
          <input
            type="checkbox"
            checked={wish.dryRun}
            onChange={(event) => {
              setWish({ ...wish, dryRun: event.currentTarget.checked });
            }}
          />
          <span>
            {t('delete.dryRun')}
            <span class="small quiet">{t('delete.dryRun.means')}</span>
          </span>
        </label>
        <Field
          label={t('decide.why')}
          name="reason"
          value={wish.reason}
          onType={(reason) => {
            setWish({ ...wish, reason });
          }}
        />
        <Field
          label={t('delete.confirm', { name })}
          name="confirm"
          required
          value={wish.confirm}
          onType={(confirm) => {
            setWish({ ...wish, confirm });
          }}
        />
        <p role="alert" class="bad">
          {asked.state === 'refused' ? t('delete.refused', { why: asked.text }) : null}
        </p>
        <div class="row end">
          <button type="button" class="plain" onClick={onClose}>
            {t('decide.cancel')}
          </button>
          <button type="submit" class={wish.dryRun ? undefined : 'danger'} disabled={asked.state === 'asking'}>
            {t(wish.dryRun ? 'delete.plan' : 'delete.do')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Modes({ mode, onChoose }: { mode: DeletionMode | ''; onChoose: (mode: DeletionMode | '') => void }) {
  const id = useId();
  return (
    <fieldset class="choices">
      <legend>{t('delete.mode')}</legend>
      {modes.map((one) => {
        const key = one === '' ? 'policy' : one;
        return (
          <label key={key} class="choice">
            <input
              type="radio"
              name={`${id}-mode`}
              value={one}
              checked={one === mode}
              aria-describedby={`${id}-${key}`}
              onChange={() => {
                onChoose(one);
              }}
            />
            <span>
              <strong>{t(`delete.mode.${key}`)}</strong>
              <span class="small quiet" id={`${id}-${key}`}>
                {t(`delete.mode.${key}.means`)}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

type Look = { mode: DeletionMode | ''; preview: DeletionPreview } | { mode: DeletionMode | ''; why: string };

/** What a deletion in that mode would meet, as things stand. */
function Preview({ cluster, mode }: { cluster: ClusterView; mode: DeletionMode | '' }) {
  const { namespace, name } = cluster;
  const [look, setLook] = useState<Look>();
  useEffect(() => {
    const ended = new AbortController();
    previewDeletion(namespace, name, mode, ended.signal).then(
      (preview) => {
        if (!ended.signal.aborted) setLook({ mode, preview });
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setLook({ mode, why: textOf(error) });
      },
    );
    return () => {
      ended.abort();
    };
  }, [namespace, name, mode]);
  const current = look?.mode === mode ? look : undefined;
  return (
    <div class="preview" role="status">
      <h3>{t('preview.title')}</h3>
      {current === undefined ? <p class="quiet">{t('preview.reading')}</p> : null}
      {current !== undefined && 'why' in current ? <p>{t('preview.failed', { why: current.why })}</p> : null}
      {current !== undefined && 'preview' in current ? <Found preview={current.preview} /> : null}
    </div>
  );
}

function Found({ preview }: { preview: DeletionPreview }) {
  const { mode, items, warnings } = preview;
  return (
    <>
      <p class="quiet small">
        {t('preview.mode', { mode })}. {t('preview.hint')}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      {items.length === 0 ? (
        <p>{t('preview.empty')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('preview.kind')}</th>
              <th scope="col">{t('preview.count')}</th>
              <th scope="col">{t('preview.action')}</th>
              <th scope="col">{t('preview.owner')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <ItemRow key={`${item.where} ${item.kind} ${item.action} ${item.owner}`} item={item} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const namesShown = 5;

function ItemRow({ item }: { item: PreviewItem }) {
  const { kind, where, action, owner, names } = item;
  const rest = names.length - namesShown;
  return (
    <tr>
      <th scope="row">
        {kind}
        <span class="quiet small">{known('where', where)}</span>
      </th>
      <td>
        {names.length}
        <span class="quiet small message">
          {names.slice(0, namesShown).join(', ')} {rest > 0 ? t('stuck.more', { n: rest }) : null}
        </span>
      </td>
      <td>{known('action', action)}</td>
      <td>{owner}</td>
    </tr>
  );
}
