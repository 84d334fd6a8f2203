import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RevenueOfDay } from '../../../src/contract/reports.ts';
import { many, money } from '../lib/format.ts';

type Chart = ComponentType<{ days: readonly string[]; values: readonly number[]; label: string }>;

/** Revenue by day; the drawing library is fetched when the first chart shows. */
export function RevenueChart({ rows }: { rows: readonly RevenueOfDay[] }) {
  const [chart, setChart] = useState<{ Chart: Chart } | null>(null);
  useEffect(() => {
    // Without the library the table below the chart still tells the numbers.
    import('./chart.tsx').then(
      ({ default: loaded }) => setChart({ Chart: loaded }),
      () => undefined,
    );
  }, []);
  const days = useMemo(() => rows.map(row => row.day), [rows]);
  const values = useMemo(() => rows.map(row => Number(row.revenue)), [rows]);
  const best = rows.reduce<RevenueOfDay | null>(
    (top, row) => (top === null || Number(row.revenue) > Number(top.revenue) ? row : top),
    null,
  );
  const label =
    best === null || Number(best.revenue) === 0
      ? 'No revenue on these days'
      : `Revenue on ${many(rows.length, 'day')}; the most was ${money(best.revenue)} on ${best.day}`;
  if (chart === null) return <div class="chart" />;
  return <chart.Chart days={days} values={values} label={label} />;
}
