// Tables and lists as all pages have them.
import type { ComponentChildren } from 'preact';
import { age, locale } from './format';
import { t } from './text';

export interface Column<T> {
  title: string;
  /** Names the row. */
  head?: boolean;
  class?: string;
  cell: (row: T) => ComponentChildren;
}

interface DataTableProps<T> {
  labelledby: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T, index: number) => string;
}

/** A table that may be wider than the screen: it can be scrolled without a mouse. */
export function DataTable<T>({ labelledby, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-labelledby={labelledby}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, head = false, class: look, cell }) =>
                head ? (
                  <th key={title} scope="row" class={look}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={look}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A part of a page with a table in it, or with what to say when there is nothing. */
export function TableSection<T>(props: Omit<DataTableProps<T>, 'labelledby'> & { id: string; title: string; none: string }) {
  const { id, title, none, rows } = props;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? <p class="quiet">{none}</p> : <DataTable {...props} labelledby={id} />}
    </section>
  );
}

/** How long ago, with the exact time for those who point at it. */
export function Ago({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(locale())}>
      {t('time.ago', { span: age(at, now) })}
    </time>
  );
}

interface PagerProps {
  offset: number;
  limit: number;
  total: number;
  onGo: (offset: number) => void;
}

/** Which part of a list is shown, and the way to the others. */
export function Pager({ offset, limit, total, onGo }: PagerProps) {
  if (total === 0) return null;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="pager" aria-label={t('pager.label')}>
      <span role="status">{t('pager.part', { first: offset + 1, last, total })}</span>
      {offset === 0 && last >= total ? null : <Steps offset={offset} limit={limit} total={total} onGo={onGo} />}
    </nav>
  );
}

function Steps({ offset, limit, total, onGo }: PagerProps) {
  return (
    <>
      <button
        type="button"
        class="plain"
        disabled={offset === 0}
        onClick={() => {
          onGo(Math.max(0, offset - limit));
        }}
      >
        {t('pager.before')}
      </button>
      <button
        type="button"
        class="plain"
        disabled={offset + limit >= total}
        onClick={() => {
          onGo(offset + limit);
        }}
      >
        {t('pager.next')}
      </button>
    </>
  );
}

/** When there is nothing to list: what that means. */
export function Empty({ title, hint, children }: { title: string; hint?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {hint === undefined ? null : <p>{hint}</p>}
      {children}
    </div>
  );
}
