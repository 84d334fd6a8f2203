import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { money } from '../lib/format.ts';

type Chart = ComponentType<{ names: readonly string[]; values: readonly number[]; label: string }>;

interface RevenueChartProps {
  rows: readonly { revenue: string }[];
  /** What stands below each bar: a day, an hour. */
  names: readonly string[];
}

/** Revenue in a row of bars; the drawing library is fetched when the first chart shows. */
export function RevenueChart({ rows, names }: RevenueChartProps) {
  const [chart, setChart] = useState<{ Chart: Chart } | null>(null);
  useEffect(() => {
    // Without the library the table below the chart still tells the numbers.
    import('./chart.tsx').then(
      ({ default: loaded }) => setChart({ Chart: loaded }),
      () => undefined,
    );
  }, []);
  // As text: an array would be another one each time, and be drawn each time.
  const key = names.join('\n');
  const shown = useMemo(() => key.split('\n'), [key]);
  const values = useMemo(() => rows.map(row => Number(row.revenue)), [rows]);
  const most = Math.max(0, ...values);
  const label = most === 0 ? 'No revenue' : `Revenue; the most was ${money(most)}: ${shown[values.indexOf(most)]}`;
  if (chart === null) return <div class="chart" />;
  return <chart.Chart names={shown} values={values} label={label} />;
}

interface SharesProps {
  rows: readonly { name: string; value: number }[];
}

/** Bars beside one another's names, for a handful of things that stand in no order. The table below tells the numbers. */
export function Shares({ rows }: SharesProps) {
  const most = Math.max(1, ...rows.map(row => row.value));
  return (
    <div class="shares" aria-hidden="true">
      {rows.map(({ name, value }) => (
        <div key={name}>
          <span>{name}</span>
          <i style={{ width: `${(Math.max(0, value) / most) * 100}%` }} />
        </div>
      ))}
    </div>
  );
}
