import { useMemo } from 'preact/hooks';
import { apiUrl, reader } from './api';
import type { Fate, ReceiptDetails, ReceiptView } from './api';
import { age, span, words } from './format';
import { Mark } from './mark';
import { useNow, usePolled } from './poll';
import type { Mood } from './reading';
import { hrefOf, replaceRoute } from './router';
import { Connection, FirstLook, Heading, Scroll } from './shell';
import { known, t } from './text';

const pace = { interval: 5_000, slowest: 60_000 };

/** What needs a person comes first. */
const fates: readonly Fate[] = ['LEFT', 'SKIPPED', 'KEPT', 'RELEASED', 'GONE', 'DELETED'];

const moods: Record<Fate, Mood> = {
  LEFT: 'stuck',
  SKIPPED: 'paused',
  KEPT: 'pending',
  RELEASED: 'done',
  GONE: 'done',
  DELETED: 'done',
};

/** What deletions did. */
export function ReceiptsPage({ namespace, name }: { namespace: string; name: string }) {
  const load = useMemo(() => {
    const query = new URLSearchParams({ namespace, cluster: name });
    return reader<{ items: ReceiptView[] }>(`${apiUrl('receipts')}?${query.toString()}`);
  }, [namespace, name]);
  const { data, error, confirmedAt, reload } = usePolled(load, pace);
  const now = useNow();
  return (
    <>
      <div class="page-head">
        <Heading title={t('receipts.title')} id="receipts" />
        <Connection error={error} confirmedAt={confirmedAt} now={now} />
      </div>
      <p class="quiet">{t('receipts.intro')}</p>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Filter label={t('receipts.name')} value={name} onType={(text) => {
          replaceRoute({ page: 'receipts', namespace, name: text });
        }} />
        <Filter label={t('fleet.namespace')} value={namespace} onType={(text) => {
          replaceRoute({ page: 'receipts', namespace: text, name });
        }} />
      </form>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data?.items.length === 0 ? (
        <div class="empty">
          <p>
            <strong>{t('receipts.none')}</strong>
          </p>
          <p>{t('receipts.none.hint')}</p>
        </div>
      ) : null}
      {data === undefined || data.items.length === 0 ? null : <Receipts items={data.items} now={now} />}
    </>
  );
}

function Filter({ label, value, onType }: { label: string; value: string; onType: (text: string) => void }) {
  return (
    <label class="row">
      {label}
      <input
        type="search"
        value={value}
        onInput={(event) => {
          onType(event.currentTarget.value.trim());
        }}
      />
    </label>
  );
}

function Receipts({ items, now }: { items: ReceiptView[]; now: number }) {
  return (
    <Scroll labelledby="receipts">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('receipts.name')}</th>
            <th scope="col">{t('receipts.result')}</th>
            <th scope="col">{t('receipts.summary')}</th>
            <th scope="col">{t('receipts.mode')}</th>
            <th scope="col">{t('receipts.begun')}</th>
            <th scope="col">{t('receipts.by')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.flow}>
              <th scope="row">
                <a href={hrefOf({ page: 'receipt', flow: one.flow })}>
                  {one.namespace}/{one.name}
                </a>
                {one.kind === 'delete' ? null : <span class="quiet small">{one.kind}</span>}
              </th>
              <td>
                <Result receipt={one} />
              </td>
              <td class="message">{one.summary}</td>
              <td>{one.mode}</td>
              <td class="number">
                <time dateTime={one.startedAt} title={one.startedAt}>
                  {t('time.ago', { span: age(one.startedAt, now) })}
                </time>
              </td>
              <td>{one.startedBy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Result({ receipt }: { receipt: ReceiptView }) {
  if (receipt.closedAt == null) return <Mark mood="active" text={t('receipts.open')} />;
  const result = receipt.result ?? '—';
  return <Mark mood={result === 'Aborted' ? 'ended' : 'done'} text={words(result)} />;
}

/** One receipt: each object with its fate, how long each phase took, who decided what. */
export function ReceiptPage({ flow }: { flow: string }) {
  const load = useMemo(() => reader<ReceiptDetails>(apiUrl('receipts', flow)), [flow]);
  const { data, error, confirmedAt, reload } = usePolled(load, pace);
  const now = useNow();
  const name = data === undefined ? flow : `${data.namespace}/${data.name}`;
  return (
    <>
      <p class="crumbs">
        <a href={hrefOf({ page: 'receipts', namespace: '', name: '' })}>{t('receipts.title')}</a>
      </p>
      <div class="page-head">
        <Heading title={t('receipt.title', { name })} />
        <Connection error={error} confirmedAt={confirmedAt} now={now} />
      </div>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data === undefined ? null : (
        <>
          <Head receipt={data} now={now} />
          <Entries receipt={data} now={now} />
          <Phases receipt={data} />
          <Decided receipt={data} now={now} />
        </>
      )}
    </>
  );
}

function Head({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  const { startedAt, closedAt } = receipt;
  const took = (closedAt == null ? now : Date.parse(closedAt)) - Date.parse(startedAt);
  const facts: [string, string | null | undefined][] = [
    [t('receipts.mode'), receipt.mode],
    [t('receipts.by'), receipt.startedBy],
    [t('receipt.reason'), receipt.reason],
    [t('receipts.begun'), new Date(startedAt).toLocaleString(document.documentElement.lang)],
    [t('receipt.took'), span(took)],
    [t('receipt.uid'), receipt.uid],
  ];
  return (
    <div class="card">
      <p class="row">
        <Result receipt={receipt} />
        <strong>{receipt.summary}</strong>
      </p>
      <dl>
        {facts
          .filter(([, value]) => value != null)
          .map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

function Entries({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  const sorted = useMemo(
    () => [...receipt.entries].sort((one, other) => fates.indexOf(one.fate) - fates.indexOf(other.fate)),
    [receipt],
  );
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{t('receipt.entries')}</h2>
      {sorted.length === 0 ? <p class="quiet">{t('receipt.entries.none')}</p> : null}
      {sorted.length === 0 ? null : (
        <Scroll labelledby="entries">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('receipt.what')}</th>
                <th scope="col">{t('receipt.fate')}</th>
                <th scope="col">{t('receipt.why')}</th>
                <th scope="col">{t('receipt.phase')}</th>
                <th scope="col">{t('receipt.at')}</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((one) => (
                <tr key={one.what}>
                  <th scope="row" class="wraps">
                    {one.what}
                  </th>
                  <td>
                    <Mark mood={moods[one.fate]} text={t(`fate.${one.fate}`)} />
                  </td>
                  <td class="message">{one.why}</td>
                  <td>{one.phase}</td>
                  <td class="number">{t('time.ago', { span: age(one.at, now) })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function Phases({ receipt }: { receipt: ReceiptDetails }) {
  return (
    <section aria-labelledby="phases">
      <h2 id="phases">{t('receipt.phases')}</h2>
      <Scroll labelledby="phases">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('receipt.phase')}</th>
              <th scope="col">{t('receipt.state')}</th>
              <th scope="col">{t('receipt.took')}</th>
              <th scope="col">{t('receipt.why')}</th>
            </tr>
          </thead>
          <tbody>
            {receipt.phases.map((one, index) => (
              <tr key={`${one.phase} ${index}`}>
                <th scope="row">{one.phase}</th>
                <td>{known('phase', one.state)}</td>
                <td class="number">{one.seconds == null ? t('receipts.open') : span(one.seconds * 1_000)}</td>
                <td class="message">{one.reason == null || one.reason.toUpperCase() === one.state ? null : words(one.reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Decided({ receipt, now }: { receipt: ReceiptDetails; now: number }) {
  if (receipt.decisions.length === 0) return null;
  return (
    <section aria-labelledby="decided">
      <h2 id="decided">{t('trail.title')}</h2>
      <Scroll labelledby="decided">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('trail.when')}</th>
              <th scope="col">{t('trail.who')}</th>
              <th scope="col">{t('trail.what')}</th>
              <th scope="col">{t('trail.why')}</th>
              <th scope="col">{t('trail.became')}</th>
            </tr>
          </thead>
          <tbody>
            {receipt.decisions.map((one) => (
              <tr key={`${one.at} ${one.choice} ${one.by}`}>
                <td class="number">{t('time.ago', { span: age(one.at, now) })}</td>
                <td>{one.by}</td>
                <td>
                  {t(`choice.${one.choice}`)}
                  <span class="quiet small">{one.phase}</span>
                </td>
                <td class="message">{one.why}</td>
                <td>{t(`trail.${one.state}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
