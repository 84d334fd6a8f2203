/** The books alone, for one test: a real file, and commands run on it without a thread in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Policy, Reads, Tx } from '../../src/domain/transaction.ts';
import { type Database, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionOf } from '../../src/store/repositories.ts';

export const POLICY: Policy = {
  currency: 'TZS',
  timeZone: 'Africa/Dar_es_Salaam',
  language: 'en',
  defaultMaxDevices: 1,
  orderExpirySeconds: 1_800,
  paymentProvider: 'sandbox',
  smsEnabled: true,
};

/** A day for TZS 1,000. */
export const DAY_BUNDLE = {
  name: 'Day',
  description: '',
  price: { minor: 100_000, currency: 'TZS' },
  durationSeconds: 86_400,
  isActive: true,
  displayOrder: 0,
  routerProfile: null,
};

export interface Books extends Disposable {
  db: Database;
  tx: Tx;
  reads: Reads;
}

export function openBooks(policy: Partial<Policy> = {}): Books {
  const folder = mkdtempSync(join(tmpdir(), 'lango-books-'));
  const db = openForWriting(join(folder, 'lango.db'));
  migrate(db);
  const tx = transactionOf(db, { ...POLICY, ...policy });
  // A command that throws undoes what it did, as it does in the writer.
  return {
    db,
    tx,
    reads: readsOf(db),
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
