/** The books alone, for one test: a real file, and commands run on it without a thread in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../../src/domain/audit.ts';
import { type Instant, parseInstant } from '../../src/domain/time.ts';
import type { Policy, Reads, StaffTx } from '../../src/domain/transaction.ts';
import { type Database, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionsOf } from '../../src/store/repositories.ts';

export const POLICY: Policy = {
  currency: 'TZS',
  timeZone: 'Africa/Dar_es_Salaam',
  language: 'en',
  defaultMaxDevices: 1,
  orderExpiryMinutes: 30,
  paymentProvider: 'sandbox',
  smsEnabled: true,
};

export const NOW = parseInstant('2026-11-21T10:00:00Z');
export const ACTOR: Actor = { adminId: null, name: 'test', ip: null };

/** A day for TZS 1,000. */
export const DAY_BUNDLE = {
  name: 'Day',
  description: '',
  price: { minor: 100_000, currency: 'TZS' },
  durationSeconds: 86_400,
  isActive: true,
  freeEveryHours: 24,
  displayOrder: 0,
  routerProfile: null,
};

export interface Books extends Disposable {
  db: Database;
  /** As of `NOW`. */
  tx: StaffTx;
  at(now: Instant): StaffTx;
  reads: Reads;
}

export function openBooks(policy: Partial<Policy> = {}): Books {
  const folder = mkdtempSync(join(tmpdir(), 'lango-books-'));
  const db = openForWriting(join(folder, 'lango.db'));
  migrate(db);
  const transaction = transactionsOf(db, { ...POLICY, ...policy });
  return {
    db,
    tx: transaction(NOW, ACTOR),
    at: now => transaction(now, ACTOR),
    reads: readsOf(db),
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
