/** 10,000 vouchers, against the bare inserts; and how long the event loop is held up meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { workerFile } from '../../../src/assets.ts';
import { systemClock } from '../../../src/domain/time.ts';
import { createLog } from '../../../src/log.ts';
import { openForWriting } from '../../../src/store/database.ts';
import { openStore } from '../../../src/store/store.ts';
import { POLICY } from '../../../test/support/books.ts';
import { codeOf, makeBooks } from '../books.ts';
import { type Figure, figure, ratios } from '../figures.ts';

const ROUNDS = 7;
const QUANTITY = 10_000;
const ACTOR = { adminId: null, name: 'bench', ip: null };

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: 1_000, active: 100, vouchers: 100_000 });
  const log = createLog('error');
  const store = await openStore({
    dataDir: books.dataDir,
    policy: POLICY,
    workerFile: workerFile('store/writer-worker'),
    now: systemClock.now,
    log,
  });
  const bare = bareInserts();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: { ours: number; theirs: number; blocked: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      delay.reset();
      delay.enable();
      const begun = performance.now();
      const input = { bundleId: 1, quantity: QUANTITY, expiryDays: 365, phone: null };
      await store.commit('generateVouchers', input, ACTOR);
      const ours = performance.now() - begun;
      delay.disable();
      const theirs = bare.insert(round);
      if (round > 0) times.push({ ours, theirs, blocked: delay.max / 1e6 });
    }
  } finally {
    bare.remove();
    await store.close();
    books.remove();
  }
  const ours = times.map(each => each.ours);
  const ratio = ratios(
    ours,
    times.map(each => each.theirs),
  );
  return [
    figure('10,000 vouchers, × the bare inserts', ratio, { most: 2 }),
    figure('10,000 vouchers', ours, undefined, ' ms'),
    figure(
      '10,000 vouchers: longest hold of the event loop',
      times.map(each => each.blocked),
      { most: 30 },
      ' ms',
    ),
  ];
}

/** The same rows and indexes, and nothing decided. */
function bareInserts() {
  const folder = mkdtempSync(join(tmpdir(), 'lango-bench-'));
  const db = openForWriting(join(folder, 'bare.db'));
  db.exec(`CREATE TABLE vouchers (id INTEGER PRIMARY KEY, uid TEXT UNIQUE, batch_id INTEGER, bundle_id INTEGER, code TEXT UNIQUE,
    created_at TEXT, expires_at TEXT); CREATE INDEX by_batch ON vouchers (batch_id, id); CREATE INDEX by_bundle ON vouchers (bundle_id, id);
    CREATE INDEX unused ON vouchers (expires_at, bundle_id)`);
  const insert = db.prepare(
    'INSERT INTO vouchers (uid, batch_id, bundle_id, code, created_at, expires_at) VALUES (?, ?, 1, ?, ?, ?)',
  );
  const now = new Date().toISOString();
  const all = db.transaction((round: number) => {
    for (let n = 0; n < QUANTITY; n += 1) {
      // Codes that come in no order, as real ones do.
      insert.run(crypto.randomUUID(), round, codeOf((round * QUANTITY + n) * 7_919_999_983), now, now);
    }
  });
  return {
    insert(round: number): number {
      const begun = performance.now();
      all(round);
      return performance.now() - begun;
    },
    remove() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
