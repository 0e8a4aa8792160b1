import { useMemo, useState } from 'preact/hooks';
import { Act } from './act';
import { retryAll } from './api';
import type { StuckGroup } from './api';
import { useAsking } from './asking';
import { Field } from './decide';
import { Dialog } from './dialog';
import { age, words } from './format';
import { apiUrl, reader } from './http';
import { Mark } from './mark';
import { useLive, useNow } from './poll';
import { clusterHref } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { Empty } from './table';
import { count, t } from './text';

/** So many clusters of a group are listed at once. */
const page = 100;

/** What is stuck in the whole fleet, by cause. */
export function StuckPage() {
  const load = useMemo(() => reader<{ items: StuckGroup[] }>(apiUrl('stuck')), []);
  const { data, error, confirmedAt, stream, reload } = useLive(load, {}, ['clusters', 'work-items']);
  const [done, setDone] = useState('');
  const now = useNow();
  const retried = (text: string) => {
    setDone(text);
    reload();
  };
  return (
    <>
      <div class="page-head">
        <Heading title={t('stuck.title')} />
        <span role="status">{done}</span>
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data?.items.length === 0 ? (
        <Empty title={t('stuck.none')} hint={t('stuck.none.hint')} />
      ) : null}
      {data === undefined || data.items.length === 0 ? null : (
        <>
          <p class="quiet">{t('stuck.intro')}</p>
          <ul class="plain-list">
            {data.items.map((group) => (
              <Group key={`${group.flow} ${group.phase} ${group.reason}`} group={group} now={now} onRetried={retried} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface GroupProps {
  group: StuckGroup;
  now: number;
  onRetried: (text: string) => void;
}

function Group({ group, now, onRetried }: GroupProps) {
  const [asking, setAsking] = useState(false);
  const where = t('stuck.where', { phase: group.phase, flow: group.flow });
  return (
    <li class="card" aria-label={`${words(group.reason)}, ${where}`}>
      <div class="flow-head">
        <div>
          <h2>
            <Mark mood="stuck" text={words(group.reason)} />
          </h2>
          <p class="row">
            <strong>{count('stuck.count', group.count)}</strong>
            <span>{where}</span>
            <span class="quiet">{t('stuck.oldest', { span: age(group.oldest, now) })}</span>
          </p>
        </div>
        <div class="row">
          <Act
            action="OPERATE"
            about={`${words(group.reason)}, ${where}`}
            onAct={() => {
              setAsking(true);
            }}
          >
            {t('stuck.retry')}
          </Act>
        </div>
      </div>
      <p class="message">{group.message}</p>
      <Clusters group={group} now={now} />
      {asking ? (
        <RetryAll
          group={group}
          onClose={() => {
            setAsking(false);
          }}
          onRetried={(text) => {
            setAsking(false);
            onRetried(text);
          }}
        />
      ) : null}
    </li>
  );
}

function Clusters({ group, now }: { group: StuckGroup; now: number }) {
  const [shown, setShown] = useState(page);
  const rest = group.clusters.length - shown;
  return (
    <details open={group.clusters.length <= 5}>
      <summary>{t('stuck.show')}</summary>
      <ul class="columns">
        {group.clusters.slice(0, shown).map((one) => (
          <li key={one.run}>
            <a href={clusterHref(one)}>
              {one.namespace}/{one.name}
            </a>{' '}
            <span class="quiet">{age(one.escalatedAt, now)}</span>
          </li>
        ))}
      </ul>
      {rest <= 0 ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            setShown(shown + 10 * page);
          }}
        >
          {t('stuck.more', { n: rest })}
        </button>
      )}
    </details>
  );
}

interface RetryAllProps {
  group: StuckGroup;
  onClose: () => void;
  onRetried: (text: string) => void;
}

function RetryAll({ group, onClose, onRetried }: RetryAllProps) {
  const [why, setWhy] = useState('');
  const { asked, ask } = useAsking();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    let text = '';
    const done = await ask(async () => {
      const { applied, others } = await retryAll(group.phase, group.reason, why.trim());
      text = textOfRetries(applied, others);
      return text;
    });
    if (done) onRetried(text);
  }

  return (
    <Dialog title={t('stuck.retry.title', { clusters: count('stuck.count', group.count) })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{t('stuck.retry.means', { phase: group.phase, reason: words(group.reason) })}</p>
        <Field label={t('decide.why')} hint={t('decide.why.hint')} name="why" value={why} onType={setWhy} />
        <p role="alert" class="bad">
          {asked.state === 'refused' ? t('stuck.retry.refused', { why: asked.text }) : null}
        </p>
        <div class="row end">
          <button type="button" class="plain" onClick={onClose}>
            {t('decide.cancel')}
          </button>
          <button type="submit" disabled={asked.state === 'asking'}>
            {t('stuck.retry.do')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function textOfRetries(applied: number, others: number): string {
  if (applied + others === 0) return t('stuck.retry.none');
  return others === 0
    ? t('stuck.retry.done', { n: applied })
    : t('stuck.retry.some', { n: applied, rest: others });
}
