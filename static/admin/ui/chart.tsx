/** A row of bars. Comes when a page draws one; the numbers beside it are there before. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { plainAmount } from '../lib/format.ts';

interface ChartProps {
  /** One for each value. */
  names: readonly string[];
  values: readonly number[];
  /** What the chart says, for those who do not see it. */
  label: string;
}

const HEIGHT = 230;

export default function Bars({ names, values, label }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot = draw(element, names, values);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, names, values);
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
  }, [names, values]);
  return <div ref={box} class="chart" role="img" aria-label={label} />;
}

function draw(element: HTMLElement, names: readonly string[], values: readonly number[]): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.getPropertyValue('--font')}`;
  const axis = { stroke: colour('--muted'), font, ticks: { show: false } };
  const places = names.map((_, place) => place);
  const { bars } = uPlot.paths;
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [12, 20, 0, 4],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.5, places.length - 0.5] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: plot => {
            const most = Math.max(2, Math.floor(plot.width / 110));
            return places.filter(place => (places.length - 1 - place) % Math.ceil(places.length / most) === 0);
          },
          values: (_, splits) => splits.map(place => names[place] ?? ''),
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
          label: 'When',
          value: (_, place) => (place === null ? '–' : (names[place] ?? '')),
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
    [places, [...values]],
    element,
  );
}
