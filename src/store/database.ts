/** Opening the one SQLite file: pragmas, and the repositories that a transaction or a reader works with. */
import SqliteDatabase from 'better-sqlite3';
import type { Policy, Reads, Tx } from '../domain/transaction.ts';
import { adminRepository } from './admins.ts';
import { auditRepository } from './audit.ts';
import { bundleRepository } from './bundles.ts';
import { creditRepository } from './credits.ts';
import { deviceRepository } from './devices.ts';
import { entitlementRepository } from './entitlements.ts';
import { grantRepository } from './grants.ts';
import { paymentRepository } from './payments.ts';
import { refundRepository } from './refunds.ts';
import { settingRepository } from './settings.ts';
import { shiftRepository } from './shifts.ts';
import { smsRepository } from './sms.ts';
import { standingRepository } from './standings.ts';
import { statRepository } from './stats.ts';
import { userRepository } from './users.ts';
import { voucherRepository } from './vouchers.ts';
import { webhookLogRepository } from './webhook-logs.ts';

export type Database = SqliteDatabase.Database;

const BUSY_TIMEOUT_MS = 5_000;
/** A long reader can make the WAL grow; after the next checkpoint the file is cut back to this. */
const LARGEST_IDLE_WAL_BYTES = 16 * 1024 * 1024;

/** The one connection that writes. */
export function openForWriting(file: string): Database {
  const db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  db.pragma('journal_mode = WAL');
  // This build falls back to NORMAL in WAL mode, which may lose acknowledged commits when the power fails.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL_BYTES}`);
  return db;
}

/** A connection that cannot change anything. */
export function openForReading(file: string): Database {
  return new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}

export function transactionOf(db: Database, policy: Policy): Tx {
  return {
    policy,
    users: userRepository(db),
    devices: deviceRepository(db),
    bundles: bundleRepository(db),
    vouchers: voucherRepository(db),
    payments: paymentRepository(db),
    refunds: refundRepository(db),
    credits: creditRepository(db),
    shifts: shiftRepository(db),
    grants: grantRepository(db),
    webhookLogs: webhookLogRepository(db),
    admins: adminRepository(db),
    settings: settingRepository(db),
    sms: smsRepository(db),
    audit: auditRepository(db),
  };
}

/** Nothing that is read here is remembered: its revision is never the same. */
export function readsOf(db: Database): Reads {
  return {
    revision: () => Number.NaN,
    users: userRepository(db),
    devices: deviceRepository(db),
    entitlements: entitlementRepository(db),
    standings: standingRepository(db),
    bundles: bundleRepository(db),
    vouchers: voucherRepository(db),
    payments: paymentRepository(db),
    refunds: refundRepository(db),
    shifts: shiftRepository(db),
    grants: grantRepository(db),
    webhookLogs: webhookLogRepository(db),
    admins: adminRepository(db),
    settings: settingRepository(db),
    sms: smsRepository(db),
    audit: auditRepository(db),
    stats: statRepository(db),
  };
}
