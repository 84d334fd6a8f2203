/** Large books, made quickly: a file filled by SQL, the way the appliance would have left it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';

export interface BookSize {
  users: number;
  /** Of the users, those whose paid time runs; each has a device. */
  active: number;
  payments?: number;
  vouchers?: number;
}

/** Vouchers of one batch. */
const BATCH = 100;

export interface LargeBooks {
  dataDir: string;
  remove(): void;
}

export const phoneOf = (n: number): string => `2557${String(n).padStart(8, '0')}`;
export const macOf = (n: number): string =>
  `A4:83:${[24, 16, 8, 0].map(shift => ((n >>> shift) & 255).toString(16).padStart(2, '0').toUpperCase()).join(':')}`;
/** A canonical code that tells its number; fit for measuring, guessable by anybody. */
export function codeOf(n: number): string {
  const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  let rest = n;
  let code = '';
  for (let place = 0; place < 12; place += 1) {
    code = letters[rest % 31] + code;
    rest = Math.floor(rest / 31);
  }
  return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
}

const BUNDLES = 5;
/** Of twenty orders, these are not paid. */
const UNPAID = new Map([
  [3, 'failed'],
  [11, 'cancelled'],
  [16, 'pending'],
]);

export function makeBooks({ users, active, payments = 0, vouchers = 0 }: BookSize): LargeBooks {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-bench-'));
  const db = openForWriting(join(dataDir, 'lango.db'));
  migrate(db);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -400000');
  const now = Date.now();
  const at = (ms: number) => new Date(ms).toISOString();
  const created = at(now - 40 * 86_400_000);
  const soon = at(now + 20 * 86_400_000);
  const past = at(now - 86_400_000);
  db.transaction(() => {
    const bundle = db.prepare(
      `INSERT INTO bundles (name, description, price_minor, currency, duration_seconds, created_at)
       VALUES (?, '', 100000, 'TZS', 86400, ?)`,
    );
    for (let n = 1; n <= BUNDLES; n += 1) bundle.run(`Day ${n}`, created);
    const user = db.prepare('INSERT INTO users (phone, max_devices, paid_until, created_at) VALUES (?, 2, ?, ?)');
    const device = db.prepare(
      `INSERT INTO devices (user_id, mac, slot, device_name, ip_address, first_connected, last_seen)
       VALUES (?, ?, 1, 'Device 1', '10.5.50.9', ?, ?)`,
    );
    for (let n = 0; n < users; n += 1) {
      const { lastInsertRowid } = user.run(`+${phoneOf(n)}`, n < active ? soon : past, created);
      device.run(lastInsertRowid, macOf(n), created, created);
    }
    const payment = db.prepare(
      `INSERT INTO payments (uid, user_id, bundle_id, bundle_name, duration_seconds, phone, amount_minor, currency, status, provider,
         order_reference, created_at, created_day, expires_at, completed_at, completed_day)
       VALUES (?, ?, ?, 'Day', 86400, ?, 100000, 'TZS', ?, 'sandbox', ?, ?, ?, ?, ?, ?)`,
    );
    for (let n = 0; n < payments; n += 1) {
      const paidAt = at(now - Math.floor(((payments - n) / payments) * 365 * 86_400_000));
      const owner = n % users;
      const reference = `B${String(n).padStart(19, '0')}`;
      const day = paidAt.slice(0, 10);
      const status = UNPAID.get(n % 20) ?? 'completed';
      const done = status === 'completed' ? [paidAt, day] : [null, null];
      const bundleId = 1 + (n % BUNDLES);
      payment.run(`p${n}`, owner + 1, bundleId, `+${phoneOf(owner)}`, status, reference, paidAt, day, soon, ...done);
    }
    if (vouchers > 0) {
      const batch = db.prepare(
        `INSERT INTO voucher_batches (uid, bundle_id, quantity, duration_seconds, expires_at, created_by, created_at)
         VALUES (?, 1, ${BATCH}, 86400, ?, 'bench', ?)`,
      );
      for (let n = 0; n < vouchers; n += BATCH) batch.run(`batch${n}`, soon, created);
      const voucher = db.prepare(
        'INSERT INTO vouchers (uid, batch_id, bundle_id, code, created_at, expires_at) VALUES (?, ?, 1, ?, ?, ?)',
      );
      for (let n = 0; n < vouchers; n += 1) voucher.run(`v${n}`, 1 + Math.floor(n / BATCH), codeOf(n), created, soon);
    }
  })();
  db.pragma('analysis_limit = 400');
  db.exec('ANALYZE');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}
