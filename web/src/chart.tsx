// Bars over time, as a picture and as a table.
import { useId, useState } from 'preact/hooks';
import { DataTable } from './table';
import type { Column } from './table';
import { language, t } from './text';

export interface Bar {
  /** What it stands for, in full. */
  title: string;
  /** What stands below it, where there is room. */
  short: string;
  value: number;
  /** How much of the value is bad. */
  bad: number;
}

interface BarsProps {
  title: string;
  /** What the whole and its bad part are called. */
  value: string;
  bad: string;
  bars: Bar[];
}

const width = 900;
const height = 180;
const left = 44;
const top = 12;
const foot = 26;

/** A round number that is not below the largest value. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
}

/** A chart whose bad part is hatched, not only coloured; the table beside it says the same in numbers. */
export function Bars({ title, value, bad, bars }: BarsProps) {
  const id = useId();
  const [table, setTable] = useState(false);
  const most = Math.max(0, ...bars.map((one) => one.value));
  const total = bars.reduce((sum, one) => sum + one.value, 0);
  const columns: Column<Bar>[] = [
    { title: t('chart.when'), head: true, cell: (one) => one.title },
    { title: value, class: 'number', cell: (one) => one.value.toLocaleString(language()) },
    { title: bad, class: 'number', cell: (one) => one.bad.toLocaleString(language()) },
  ];
  return (
    <figure class="chart">
      <figcaption class="row">
        <h3 id={id}>{title}</h3>
        <span class="quiet small push">{bad}:</span>
        <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <Hatch id={`${id}-swatch`} />
          <rect class="bar-bad" width="16" height="16" fill={`url(#${id}-swatch)`} />
        </svg>
        <button
          type="button"
          class="link"
          aria-pressed={table}
          onClick={() => {
            setTable(!table);
          }}
        >
          {t('chart.table')}
        </button>
      </figcaption>
      {table ? (
        <DataTable labelledby={id} columns={columns} rows={bars} keyOf={(one, index) => `${one.title} ${index}`} />
      ) : (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t('chart.label', { title, bars: bars.length, total, most })}
        >
          <Hatch id={`${id}-hatch`} />
          <Scale most={roundUp(most)} />
          <Columns bars={bars} most={roundUp(most)} fill={`url(#${id}-hatch)`} />
        </svg>
      )}
    </figure>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatch-ground" width="6" height="6" />
      <rect class="hatch-line" width="3" height="6" />
    </pattern>
  );
}

const room = height - top - foot;

function Scale({ most }: { most: number }) {
  return (
    <>
      {[0, 0.5, 1].map((share) => {
        const y = top + room * (1 - share);
        return (
          <g key={share}>
            <line class="rule" x1={left} x2={width} y1={y} y2={y} />
            <text class="axis" x={left - 8} y={y + 4} text-anchor="end">
              {(most * share).toLocaleString(language())}
            </text>
          </g>
        );
      })}
    </>
  );
}

function Columns({ bars, most, fill }: { bars: Bar[]; most: number; fill: string }) {
  const each = (width - left) / Math.max(bars.length, 1);
  const thick = Math.min(each * 0.8, 48);
  const every = Math.max(1, Math.ceil(bars.length / 8));
  const y = (value: number) => top + room * (1 - value / most);
  return (
    <>
      {bars.map((one, index) => {
        const x = left + each * index + (each - thick) / 2;
        return (
          <g key={`${one.title} ${index}`}>
            <title>{one.title}</title>
            <rect class="bar-all" x={x} y={y(one.value)} width={thick} height={(room * one.value) / most} />
            <rect class="bar-bad" x={x} y={y(one.bad)} width={thick} height={(room * one.bad) / most} fill={fill} />
            {index % every === 0 ? (
              <text class="axis" x={x + thick / 2} y={height - 8} text-anchor="middle">
                {one.short}
              </text>
            ) : null}
          </g>
        );
      })}
    </>
  );
}
