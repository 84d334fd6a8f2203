/** The repositories that a transaction or a reader works with, one a noun. */
import type { Actor } from '../domain/audit.ts';
import type { Instant } from '../domain/time.ts';
import type { Policy, Reads, Tx } from '../domain/transaction.ts';
import { adminRepository } from './admins.ts';
import { auditRepository } from './audit.ts';
import { bundleRepository } from './bundles.ts';
import { creditRepository } from './credits.ts';
import type { Database } from './database.ts';
import { deviceRepository } from './devices.ts';
import { entitlementRepository } from './entitlements.ts';
import { freeClaimRepository } from './free-claims.ts';
import { grantRepository } from './grants.ts';
import { paymentRepository } from './payments.ts';
import { proofRepository } from './proofs.ts';
import { refundRepository } from './refunds.ts';
import { routerRepository } from './routers.ts';
import { settingRepository } from './settings.ts';
import { shiftRepository } from './shifts.ts';
import { smsRepository } from './sms.ts';
import { standingRepository } from './standings.ts';
import { statRepository } from './stats.ts';
import { userRepository } from './users.ts';
import { voucherSaleRepository } from './voucher-sales.ts';
import { voucherRepository } from './vouchers.ts';
import { webhookLogRepository } from './webhook-logs.ts';

const repositoriesOf = (db: Database) => ({
  users: userRepository(db),
  devices: deviceRepository(db),
  bundles: bundleRepository(db),
  vouchers: voucherRepository(db),
  voucherSales: voucherSaleRepository(db),
  payments: paymentRepository(db),
  refunds: refundRepository(db),
  shifts: shiftRepository(db),
  grants: grantRepository(db),
  webhookLogs: webhookLogRepository(db),
  admins: adminRepository(db),
  settings: settingRepository(db),
  routers: routerRepository(db),
  sms: smsRepository(db),
  audit: auditRepository(db),
});

/** @returns what a command works with, that `actor` asked for at `now` */
export function transactionsOf(
  db: Database,
  policy: Policy,
): <Who extends Actor | null>(now: Instant, actor: Who) => Tx<Who> {
  const { audit, ...repositories } = repositoriesOf(db);
  const always = { policy, ...repositories, credits: creditRepository(db), freeClaims: freeClaimRepository(db) };
  return (now, actor) => ({
    ...always,
    now,
    actor,
    forgetPerson: audit.forgetPerson,
    record(action, subject, subjectId, before = null, after = null) {
      if (actor !== null) audit.append({ action, subject, subjectId, before, after, actor, now });
    },
  });
}

export function readsOf(db: Database): Reads {
  return {
    ...repositoriesOf(db),
    proofs: proofRepository(db),
    entitlements: entitlementRepository(db),
    standings: standingRepository(db),
    stats: statRepository(db),
  };
}
