/** Router auth at 300/s while the appliance has something large to do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { openForWriting } from '../../../src/store/database.ts';
import { makeBooks } from '../books.ts';
import { download } from '../download.ts';
import { type Figure, figure } from '../figures.ts';
import { load } from '../load.ts';
import { ADMIN, from, logins } from '../requests.ts';
import { ADMIN_TOKEN, type Running, startLango } from '../server.ts';

const ROUNDS = 3;
const USERS = 200_000;
const OWNER = { username: 'owner', password: 'correct horse battery' };
const MOST = { most: 40 };
const ASK = logins(USERS, 2_000);

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: 2_000, payments: 1_000_000 });
  const environment = { LANGO_ADMIN_USERNAME: OWNER.username, LANGO_ADMIN_PASSWORD: OWNER.password };
  try {
    const lango = await startLango(books.dataDir, environment);
    const figures: Figure[] = [];
    try {
      const during: readonly [string, (round: number) => Promise<unknown>][] = [
        ['nothing else', async () => {}],
        ['a backup', round => backUp(books.dataDir, round)],
        ['10,000 vouchers', () => post(lango, '/api/vouchers/generate/', { bundle_id: 1, quantity: 10_000 })],
        ['the export of 1,000,000 payments', () => download(lango.port, '/api/admin/export/payments/', ADMIN_TOKEN)],
        [
          '8 logins at once',
          round =>
            Promise.all(
              Array.from({ length: 8 }, (_, n) => post(lango, '/api/auth/login/', OWNER, from(8 * round + n))),
            ),
        ],
      ];
      await asked(lango, 3, async () => {});
      for (const [name, work] of during) {
        const results = [];
        for (let round = 0; round < ROUNDS; round += 1) results.push(await asked(lango, 3, () => work(round)));
        figures.push(
          figure(
            `router auth at 300/s during ${name}: p99`,
            results.map(each => each.p99),
            MOST,
            ' ms',
          ),
        );
      }
    } finally {
      await lango.stop();
    }
    return [...figures, await duringExpiry(books.dataDir, environment)];
  } finally {
    books.remove();
  }
}

/** Asks from when the work begins until it has ended, and for so long at least. */
async function asked(lango: Running, seconds: number, work: () => Promise<unknown>) {
  const begun = performance.now();
  const result = load({ port: lango.port, request: ASK, rate: 300, seconds, accepts: [200, 403] });
  await work();
  const took = (performance.now() - begun) / 1_000;
  const asking = await result;
  if (took <= seconds) return asking;
  // It went on for longer than was asked: what counts is a run that covers it.
  return asked(lango, took + 1, work);
}

async function duringExpiry(dataDir: string, environment: Record<string, string>): Promise<Figure> {
  const results: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const db = openForWriting(join(dataDir, 'lango.db'));
    // All within one period of the job, and no two at once.
    const first = Date.now() + 14_000;
    const setEnd = db.prepare('UPDATE users SET paid_until = ? WHERE id = ?');
    db.transaction(() => {
      for (let n = 0; n < 100_000; n += 1) setEnd.run(new Date(first + n / 50).toISOString(), 100_001 + n);
    })();
    db.close();
    const lango = await startLango(dataDir, environment);
    await asked(lango, 4, async () => {});
    results.push((await asked(lango, 14, async () => {})).p99);
    await lango.stop();
  }
  return figure('router auth at 300/s during the expiry of 100,000: p99', results, MOST, ' ms');
}

async function backUp(dataDir: string, round: number): Promise<void> {
  const main = join(import.meta.dirname, '../../../src/main.ts');
  // As systemd runs it: behind everything else, wherever there is room.
  const args = [
    '-n',
    '10',
    'taskset',
    '-c',
    '0,1',
    process.execPath,
    main,
    'backup',
    join(dataDir, `copy-${round}.db`),
  ];
  const child = spawn('nice', args, { env: { ...process.env, LANGO_DATA_DIR: dataDir }, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The backup ended with ${code}.`);
}

function post({ port }: Running, path: string, body: object, also: object = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(
      { port, host: '127.0.0.1', method: 'POST', path, headers: { ...ADMIN, ...also } },
      response => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        );
      },
    );
    asking.on('error', reject);
    asking.end(JSON.stringify(body));
  });
}
