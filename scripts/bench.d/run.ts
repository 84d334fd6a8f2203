/** Runs the suites that are named, prints their figures as a table, and keeps them as JSON in build/out/bench.json. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { type Figure, holds, table } from './figures.ts';

/** What a file in suites/ gives: its figures, measured now. */
export interface Suite {
  run(): Promise<Figure[]>;
}

const folder = join(import.meta.dirname, 'suites');
const known = readdirSync(folder).map(file => basename(file, '.ts'));
const asked = process.argv.slice(2);
const wanted = asked.length === 0 ? known.filter(name => name !== 'compare') : asked;
const unknown = wanted.filter(name => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}

const all: Record<string, Figure[]> = {};
for (const name of wanted) {
  const { run } = (await import(join(folder, `${name}.ts`))) as Suite;
  const figures = await run();
  all[name] = figures;
  console.log(`\n${name}\n${table(figures)}`);
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg(), node: process.version };
mkdirSync(join(import.meta.dirname, '../../build/out'), { recursive: true });
writeFileSync(
  join(import.meta.dirname, '../../build/out/bench.json'),
  JSON.stringify({ machine, suites: all }, null, 2),
);
if (!Object.values(all).flat().every(holds)) process.exitCode = 1;
