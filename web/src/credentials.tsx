import { useState } from 'preact/hooks';
import { Act } from './act';
import { replaceCredentials } from './api';
import type { Subject } from './api';
import { useAsking } from './asking';
import { Field } from './decide';
import { Dialog } from './dialog';
import { t } from './text';

/** Gives the import of a cluster another kubeconfig, by the name of its secret. */
export function Credentials({ cluster, onReplaced }: { cluster: Subject; onReplaced: () => void }) {
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState('');
  const { asked, ask } = useAsking();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const done = await ask(async () => {
      const outcome = await replaceCredentials(cluster.namespace, cluster.name, secret.trim());
      return t(`credentials.${outcome}`);
    });
    if (done) {
      setOpen(false);
      onReplaced();
    }
  }

  const close = () => {
    setOpen(false);
  };
  return (
    <div class="row">
      <Act
        action="OPERATE"
        class="plain"
        onAct={() => {
          setOpen(true);
        }}
      >
        {t('credentials.open')}
      </Act>
      <span role="status" class="quiet">
        {asked.state === 'done' ? asked.text : null}
      </span>
      {open ? (
        <Dialog title={t('credentials.title')} onClose={close}>
          <form aria-label={t('credentials.label', { name: cluster.name })} onSubmit={(event) => void submit(event)}>
            <p>{t('credentials.means')}</p>
            <Field
              label={t('credentials.secret', { namespace: cluster.namespace })}
              name="secret"
              example={`${cluster.name}-access`}
              value={secret}
              required
              onType={setSecret}
            />
            <p role="alert" class="bad">
              {asked.state === 'refused' ? t('credentials.refused', { why: asked.text }) : null}
            </p>
            <div class="row end">
              <button type="button" class="plain" onClick={close}>
                {t('decide.cancel')}
              </button>
              <button type="submit" disabled={asked.state === 'asking'}>
                {t('credentials.do')}
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </div>
  );
}
