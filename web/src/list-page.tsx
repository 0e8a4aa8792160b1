// A page with a list that is read in parts: filters and part stand in the address.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page } from './api';
import { apiUrl, reader, withQuery } from './http';
import { useNow, usePolled } from './poll';
import type { Pace } from './poll';
import { replaceRoute } from './router';
import type { ListPage, Query } from './router';
import { Connection, FirstLook, Heading } from './shell';
import { DataTable, Empty, Pager } from './table';
import type { Column } from './table';
import { t } from './text';
import type { Key } from './text';

/** So many are shown at once. */
export const part = 50;

const pace: Pace = { interval: 5_000, slowest: 60_000 };

interface ListProps<T> {
  page: ListPage;
  query: Query;
  title: Key;
  intro: Key;
  none: Key;
  hint: Key;
  /** What the server is asked for, by the names that it knows. */
  asked: Query;
  filters: ComponentChildren;
  columns: (now: number) => Column<T>[];
  keyOf: (row: T) => string;
}

export function ListOf<T>({ page, query, title, intro, none, hint, asked, filters, columns, keyOf }: ListProps<T>) {
  const offset = Math.max(0, Number(query.offset ?? 0) || 0);
  const url = withQuery(apiUrl(page), { ...asked, offset: offset === 0 ? '' : offset, limit: part });
  const load = useMemo(() => reader<Page<T>>(url), [url]);
  const { data, error, confirmedAt, stream, reload } = usePolled(load, pace);
  const now = useNow();
  return (
    <>
      <div class="page-head">
        <Heading title={t(title)} id={page} />
        <Connection error={error} confirmedAt={confirmedAt} stream={stream} now={now} />
      </div>
      <p class="quiet">{t(intro)}</p>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        {filters}
      </form>
      {data === undefined ? <FirstLook error={error} onRetry={reload} /> : null}
      {data?.items.length === 0 ? <Empty title={t(none)} hint={t(hint)} /> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <>
          <DataTable labelledby={page} columns={columns(now)} rows={data.items} keyOf={keyOf} />
          <Pager
            offset={data.offset}
            limit={data.limit}
            total={data.total}
            onGo={(next) => {
              replaceRoute({ page, query: { ...query, offset: next === 0 ? '' : String(next) } });
            }}
          />
        </>
      )}
    </>
  );
}

interface FilterProps {
  page: ListPage;
  query: Query;
  name: string;
  label: string;
  type?: 'search' | 'date';
}

/** One filter; another one begins at the first part again. */
export function Filter({ page, query, name, label, type = 'search' }: FilterProps) {
  const value = query[name] ?? '';
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    narrow(page, query, name, event.currentTarget.value.trim());
  };
  return (
    <label class="row">
      {label}
      {type === 'date' ? (
        <input type="date" name={name} value={value} onInput={onInput} />
      ) : (
        <input type="search" name={name} value={value} onInput={onInput} />
      )}
    </label>
  );
}

/** A filter with few values. */
export function Choose({ page, query, name, label, options }: FilterProps & { options: [value: string, text: string][] }) {
  return (
    <label class="row">
      {label}
      <select
        name={name}
        value={query[name] ?? ''}
        onChange={(event) => {
          narrow(page, query, name, event.currentTarget.value);
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function narrow(page: ListPage, query: Query, name: string, value: string): void {
  replaceRoute({ page, query: { ...query, [name]: value, offset: '' } });
}
