import { useId, useState } from 'preact/hooks';
import { replaceCredentials } from './api';
import type { ClusterView } from './api';

type Asked = { state: 'idle' | 'asking' } | { state: 'done' | 'refused'; text: string };

/** Gives the import of a cluster another kubeconfig, by the name of its secret. */
export function Credentials({ cluster, onReplaced }: { cluster: ClusterView; onReplaced: () => void }) {
  const id = useId();
  const [secret, setSecret] = useState('');
  const [asked, setAsked] = useState<Asked>({ state: 'idle' });

  async function ask(event: Event): Promise<void> {
    event.preventDefault();
    setAsked({ state: 'asking' });
    try {
      const outcome = await replaceCredentials(cluster.namespace, cluster.name, secret.trim());
      setAsked({ state: 'done', text: outcome === 'started' ? 'The import has started.' : 'Decided.' });
      onReplaced();
    } catch (error) {
      setAsked({ state: 'refused', text: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <details class="credentials">
      <summary>Replace the credentials</summary>
      <form class="decide" aria-label={`Credentials of ${cluster.name}`} onSubmit={(event) => void ask(event)}>
        <label for={`${id}-secret`}>Secret in {cluster.namespace} with a kubeconfig under the key value</label>
        <input
          id={`${id}-secret`}
          placeholder={`${cluster.name}-access`}
          required
          maxLength={253}
          value={secret}
          onInput={(event) => {
            setSecret(event.currentTarget.value);
          }}
        />
        <button type="submit" disabled={asked.state === 'asking'}>
          Replace
        </button>
        <span role="status" class={asked.state === 'refused' ? 'bad' : 'quiet'}>
          {asked.state === 'done' ? asked.text : null}
          {asked.state === 'refused' ? `Not replaced: ${asked.text}` : null}
        </span>
      </form>
    </details>
  );
}
