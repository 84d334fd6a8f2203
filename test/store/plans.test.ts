/** How SQLite finds what each statement asks for, with tables and statistics as a busy year leaves them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeBooks } from '../../scripts/bench.d/books.ts';
import { type Database, openForWriting } from '../../src/store/database.ts';
import { readsOf, transactionsOf } from '../../src/store/repositories.ts';
import { POLICY } from '../support/books.ts';

/** Grow with people and time; all others stay as small as the business's offers and staff. */
const GROWING =
  /^(users|devices|payments|vouchers|voucher_batches|voucher_sales|grants|webhook_logs|audit_log|sms_outbox|sessions|refunds|free_claims|shifts|cash_movements|daily_payers)$/;

/** Plans that look bad and are not; each must still be needed. */
const ALLOWED: readonly [plan: RegExp, statement: RegExp, why: string][] = [
  [/TEMP B-TREE/, /FROM bundles WHERE archived_at IS NULL/, 'a business has a handful of bundles'],
  [/TEMP B-TREE/, /FROM (daily|hourly)_(sales|orders)/, 'a row for each day, bundle, method and seller or state'],
  [/TEMP B-TREE/, /WITH closed AS .* GROUP BY bundle_id$/, 'what one cashier sold, by bundle'],
  [/TEMP B-TREE/, /FROM devices WHERE user_id = /, 'the devices of one person'],
  [/TEMP B-TREE/, /INDEXED BY payments_open_of_device WHERE mac = \?/, 'the open orders of one phone'],
  [/TEMP B-TREE/, /FROM sessions WHERE admin_id = /, 'the sessions of one admin'],
  [/TEMP B-TREE/, /FROM refunds .* WHERE payments\.user_id = /, 'the refunds of one person'],
  [/TEMP B-TREE/, /FROM payments WHERE next_check_at IS NOT NULL/, 'orders under way, and of the last two days'],
  [/TEMP B-TREE/, /^SELECT DISTINCT grants\.user_id/, 'of an outage'],
  [/^SCAN \w+$/, /ORDER BY (\w+\.)?id DESC LIMIT/, 'newest first along the primary key, and no further than the page'],
  [/COVERING INDEX/, /^SELECT count\(\*\) FROM (webhook_logs|sms_outbox|voucher_batches)$/, 'the first two are pruned'],
  [/^SCAN (users|devices) USING COVERING INDEX/, /^SELECT \(SELECT count\(\*\) FROM \w+\) -/, 'it adds up pages'],
  [/^SCAN voucher_batches USING COVERING INDEX/, /^SELECT coalesce\(sum\(quantity\)/, 'a few a day'],
  [/^SCAN shifts USING COVERING INDEX shifts_by_admin$/, /^SELECT count\(\*\) FROM shifts/, 'a few a day'],
  [/^SCAN refunds USING INDEX refunds_open$/, /status = 'pending'/, 'the index holds pending refunds alone'],
  [/^SCAN sms_outbox USING INDEX sms_outbox_under_way$/, /status = 'sending'/, 'the index holds those alone'],
  [
    /^SCAN voucher_(batches|sales)$/,
    /^(INSERT INTO|DELETE FROM|SELECT EXISTS) .*bundle/s,
    'staff change bundles seldom',
  ],
];

test('no statement walks through a table that grows, and none sorts what it could read in order', t => {
  const books = makeBooks({ users: 20_000, active: 2_000, payments: 40_000, vouchers: 40_000 });
  const db = openForWriting(join(books.dataDir, 'lango.db'));
  t.after(() => {
    db.close();
    books.remove();
  });
  const statements = statementsOf(db);
  assert.ok(statements.length > 120, `only ${statements.length} statements were found`);
  const problems: string[] = [];
  const needed = new Set<string>();
  for (const sql of statements) {
    for (const step of planOf(db, sql)) {
      if (isHarmless(step)) continue;
      const allowed = ALLOWED.find(([plan, statement]) => plan.test(step) && statement.test(sql));
      if (allowed === undefined) problems.push(`${step}\n    ${sql}`);
      else needed.add(String(allowed));
    }
  }
  assert.deepEqual(problems, []);
  assert.deepEqual(
    ALLOWED.filter(each => !needed.has(String(each))),
    [],
    'allowed for nothing',
  );
});

/** What the repositories prepare when they are made. */
function statementsOf(db: Database): string[] {
  const found = new Set<string>();
  const watched = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'prepare') found.add(String(args[0]).trim().replaceAll(/\s+/g, ' '));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  transactionsOf(watched, POLICY);
  readsOf(watched);
  return [...found];
}

function planOf(db: Database, sql: string): string[] {
  const names = [...new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name as string))];
  const places = sql.match(/\?/g)?.map(() => 5) ?? [];
  const named = Object.fromEntries(
    names.map(name => [name, /id|limit|offset|skip|below|lowest/i.test(name) ? 5 : '2026']),
  );
  const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  return plan.all(...places, ...(names.length === 0 ? [] : [named])).map(step => step.detail);
}

function isHarmless(step: string): boolean {
  if (step.startsWith('USE TEMP B-TREE')) return false;
  // A search that is as good as a walk: thousands of orders are in one state.
  if (/INDEX payments_by_status \(status=\?\)/.test(step)) return false;
  const scanned = /^SCAN (\w+)/.exec(step)?.[1];
  return scanned === undefined || !GROWING.test(scanned);
}
