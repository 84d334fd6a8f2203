/** Staff's lists over years of books: a far page and a summary cost no more than the first page of a new business. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { openForReading } from '../../../src/store/database.ts';
import { makeBooks } from '../books.ts';
import { download } from '../download.ts';
import { type Figure, figure } from '../figures.ts';
import { load, requestBytes } from '../load.ts';
import { ADMIN_TOKEN, type Running, startLango } from '../server.ts';

const ROUNDS = 5;
const SECONDS = 0.6;
const HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}` };

export async function run(): Promise<Figure[]> {
  const small = makeBooks({ users: 1_000, active: 500, payments: 1_000 });
  const large = makeBooks({ users: 200_000, active: 2_000, payments: 1_000_000 });
  const environment = { SIMPLE_ADMIN_TOKEN: ADMIN_TOKEN };
  const few = await startLango(small.dataDir, environment);
  const many = await startLango(large.dataDir, environment);
  try {
    return [
      ...(await pages('users', few, many, 10_000)),
      ...(await pages('payments', few, many, 50_000)),
      ...(await summaries(many)),
      ...(await dashboard(few, many, large.dataDir)),
      ...(await exporting(many)),
    ];
  } finally {
    await Promise.all([few.stop(), many.stop()]);
    small.remove();
    large.remove();
  }
}

/** The median time of one request at a time, in milliseconds, the way there and back included. */
async function timeOf(server: Running, path: string): Promise<number> {
  const request = requestBytes('GET', path, null, HEADERS);
  return (await load({ port: server.port, request: () => request, connections: 1, seconds: SECONDS })).p50;
}

async function pages(list: 'users' | 'payments', few: Running, many: Running, lastPage: number): Promise<Figure[]> {
  const path = (page: number) => `/api/admin/${list}/?page=${page}`;
  const times: { base: number; first: number; far: number; last: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const base = await timeOf(few, path(1));
    const first = await timeOf(many, path(1));
    const far = await timeOf(many, path(5_000));
    const last = await timeOf(many, path(lastPage));
    // The first round warms everything up.
    if (round > 0) times.push({ base, first, far, last });
  }
  const ratio = (of: 'first' | 'far' | 'last') => times.map(time => time[of] / time.base);
  const milliseconds = (of: 'base' | 'first' | 'far' | 'last') => times.map(time => time[of]);
  return [
    figure(`${list}: page 1 of a thousand rows`, milliseconds('base'), undefined, ' ms'),
    figure(`${list}: page 1`, milliseconds('first'), { most: 1 }, ' ms'),
    figure(`${list}: page 5,000`, milliseconds('far'), { most: 25 }, ' ms'),
    figure(`${list}: the last page`, milliseconds('last'), { most: 25 }, ' ms'),
    figure(`${list}: page 1, × that of a thousand rows`, ratio('first'), { most: 3 }),
  ];
}

/** What is asked for again and again while the admin site is open. */
async function dashboard(few: Running, many: Running, dataDir: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const aggregate = timeOfAggregate(dataDir);
  for (const [path, bar] of [
    ['/api/dashboard-stats/', { most: 3 }],
    ['/api/admin/status/', undefined],
  ] as const) {
    const times: { few: number; many: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const time = { few: await timeOf(few, path), many: await timeOf(many, path) };
      if (round > 0) times.push(time);
    }
    const ratio = times.map(time => time.many / time.few);
    figures.push(
      figure(
        path,
        times.map(time => time.many),
        undefined,
        ' ms',
      ),
      figure(`${path}, × that of a thousand payments`, ratio, bar),
      figure(
        `${path}, × one covering aggregate of 30 days`,
        times.map(time => time.many / aggregate),
        bar === undefined ? undefined : { most: 1.2 },
      ),
    );
  }
  return figures;
}

/** What one query over a month of payments takes in an index that holds all it asks for, in milliseconds. */
function timeOfAggregate(dataDir: string): number {
  const db = openForReading(join(dataDir, 'lango.db'));
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const query = db.prepare(
    `SELECT created_day, count(*), sum(amount_minor) FROM payments INDEXED BY payments_by_day
     WHERE created_day >= ? AND status = 'completed' GROUP BY created_day`,
  );
  const times = Array.from({ length: 20 }, () => {
    const begunAt = performance.now();
    query.all(since);
    return performance.now() - begunAt;
  });
  db.close();
  return times.toSorted((a, b) => a - b)[10] ?? Number.NaN;
}

/** Filters that everything passes, or nearly. */
const EVERYTHING = {
  'no filter': '',
  'every day': 'date_from=2000-01-01&date_to=2100-01-01',
  'a status': 'status=completed',
  'a bundle': 'bundle_id=1',
  'online payments of any day': 'date_from=2000-01-01&method=online',
  'a part of a number': 'phone_number=0071',
};
const HELD_TO_THE_BAR = ['no filter', 'every day', 'a status', 'a bundle', 'online payments of any day'];

async function summaries(many: Running): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(EVERYTHING)) {
    const times = await repeated(() => timeOf(many, `/api/admin/payments/?page_size=1&${query}`));
    const bar = HELD_TO_THE_BAR.includes(name) ? { most: 50 } : undefined;
    figures.push(figure(`summary of payments, ${name}`, times, bar, ' ms'));
  }
  const search = await repeated(() => timeOf(many, '/api/admin/users/?search=0071'));
  return [...figures, figure('users by a part of a number', search, undefined, ' ms')];
}

async function repeated(measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < 3; round += 1) values.push(await measure());
  return values;
}

const memoryOf = ({ pid }: Running): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** A million payments as CSV, while others ask for something else every few milliseconds. */
async function exporting(many: Running): Promise<Figure[]> {
  const quiet = await longestWait(many, setTimeout(5_000));
  const before = memoryOf(many);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, memoryOf(many))), 100);
  const exported = download(many.port, '/api/admin/export/payments/', ADMIN_TOKEN);
  const busy = await longestWait(many, exported);
  const { lines, seconds } = await exported;
  clearInterval(watch);
  if (lines !== 1_000_001) throw new Error(`The export has ${lines} lines.`);
  return [
    figure('export of a million payments', [seconds], undefined, ' s'),
    figure('export: memory grows by', [most - before], { most: 40 }, ' MB'),
    figure('longest wait of another request without an export', [quiet], undefined, ' ms'),
    figure('longest wait of another request during the export', [busy], { most: 50 }, ' ms'),
  ];
}

/** The longest answer, in milliseconds, of a hundred requests a second until something is done. */
async function longestWait({ port }: Running, done: Promise<unknown>): Promise<number> {
  const request = requestBytes('GET', '/api/bundles/');
  const end = done.then(() => null);
  let longest = 0;
  for (;;) {
    const asking = load({ port, request: () => request, connections: 1, seconds: 1, rate: 100 });
    const asked = await Promise.race([end, asking]);
    if (asked === null) return Math.max(longest, (await asking).longest);
    longest = Math.max(longest, asked.longest);
  }
}
