/** Figures of a run: ratios taken pair by pair, their median and spread, and the bar they are held against. */
import type { Running } from './server.ts';

export interface Figure {
  name: string;
  /** Median. */
  value: number;
  min: number;
  max: number;
  /** What it must be; absent: only shown. */
  bar?: { least: number } | { most: number };
  unit?: string;
}

export function figure(name: string, values: readonly number[], bar?: Figure['bar'], unit?: string): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return {
    name,
    value,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    ...(bar === undefined ? {} : { bar }),
    ...(unit === undefined ? {} : { unit }),
  };
}

export function holds({ value, bar }: Figure): boolean {
  if (bar === undefined) return true;
  return 'least' in bar ? value >= bar.least : value <= bar.most;
}

/** What was measured in turn. */
export interface Both<Result> {
  a: Result[];
  b: Result[];
}

/** Runs two measurements in turn, A B A B … */
export async function inTurn<Result>(
  rounds: number,
  a: () => Promise<Result>,
  b: () => Promise<Result>,
): Promise<Both<Result>> {
  const results: Both<Result> = { a: [], b: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.a.push(await a());
    results.b.push(await b());
  }
  return results;
}

/** Two processes of one program differ by a tenth for as long as they live: this many pairs of them are measured. */
const PAIRS = 5;

/** Starts a pair of servers, measures it and stops it, several times. */
export async function ofFreshPairs<Result>(
  startA: () => Promise<Running>,
  startB: (a: Running) => Promise<Running>,
  measure: (a: Running, b: Running) => Promise<Both<Result>>,
): Promise<Both<Result>> {
  const results: Both<Result> = { a: [], b: [] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await using started = new AsyncDisposableStack();
    const a = started.adopt(await startA(), each => each.stop());
    const b = started.adopt(await startB(a), each => each.stop());
    const measured = await measure(a, b);
    results.a.push(...measured.a);
    results.b.push(...measured.b);
  }
  return results;
}

export interface Compared {
  perSecond: number;
  p99: number;
}

/** How much faster `a` answers than `b`, and how much later its slowest hundredth is; taken pair by pair. */
export function compared(name: string, { a, b }: Both<Compared>, bars: { rate: number; p99?: number }): Figure[] {
  const of = (what: keyof Compared) =>
    ratios(
      a.map(each => each[what]),
      b.map(each => each[what]),
    );
  const rates = a.map(each => each.perSecond);
  return [
    figure(name, of('perSecond'), { least: bars.rate }),
    ...(bars.p99 === undefined ? [] : [figure(`${name}: p99`, of('p99'), { most: bars.p99 })]),
    figure(`${name}: requests`, rates, undefined, '/s'),
  ];
}

export const ratios = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((value, index) => value / (b[index] ?? Number.NaN));

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(each => [
    each.name,
    `${short(each.value)}${each.unit ?? ''}`,
    `${short(each.min)}–${short(each.max)}`,
    each.bar === undefined ? '' : 'least' in each.bar ? `≥ ${each.bar.least}` : `≤ ${each.bar.most}`,
    each.bar === undefined ? '' : holds(each) ? 'holds' : 'MISSED',
  ]);
  const head = ['What', 'Median', 'Spread', 'Bar', ''];
  return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
}

const short = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
