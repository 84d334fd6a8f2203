/** Bars over days. Comes when a page draws one; the numbers beside it are there before. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { calendarDay, plainAmount } from '../lib/format.ts';

interface ChartProps {
  /** `2026-11-21`, one for each value, ascending. */
  days: readonly string[];
  values: readonly number[];
  /** What the chart says, for those who do not see it. */
  label: string;
}

const HEIGHT = 230;
const WEEKDAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

export default function DayBars({ days, values, label }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot = draw(element, days, values);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, days, values);
    };
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      observer.disconnect();
      plot.destroy();
    };
  }, [days, values]);
  return <div ref={box} class="chart" role="img" aria-label={label} />;
}

function draw(element: HTMLElement, days: readonly string[], values: readonly number[]): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.getPropertyValue('--font')}`;
  const axis = { stroke: colour('--muted'), font, ticks: { show: false } };
  const times = days.map(day => Date.parse(day) / 1_000);
  const half = 43_200;
  const { bars } = uPlot.paths;
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [12, 20, 0, 4],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [(times[0] ?? 0) - half, (times.at(-1) ?? 0) + half] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: plot => {
            const most = Math.max(2, Math.floor(plot.width / 110));
            return times.filter((_, index) => (times.length - 1 - index) % Math.ceil(times.length / most) === 0);
          },
          values: (_, splits) => splits.map(at => calendarDay(at * 1_000, { day: 'numeric', month: 'short' })),
        },
        {
          ...axis,
          size: 66,
          grid: { stroke: colour('--line'), width: 1 },
          values: (_, splits) => splits.map(value => (Number.isInteger(value) ? plainAmount(value) : '')),
        },
      ],
      series: [
        {
          label: 'Day',
          value: (_, at) => (at === null ? '–' : calendarDay(at * 1_000, WEEKDAY)),
        },
        {
          label: 'Revenue',
          fill: colour('--accent'),
          stroke: colour('--accent'),
          width: 0,
          ...(bars === undefined ? {} : { paths: bars({ size: [0.62, 56], radius: 0.15 }) }),
          points: { show: false },
          value: (_, value) => (value === null ? '–' : plainAmount(value)),
        },
      ],
    },
    [times, [...values]],
    element,
  );
}
