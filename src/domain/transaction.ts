/**
 * What a command works with. A command is a named domain function with serialisable input and output that runs
 * inside one synchronous transaction of the store's single writer; `commit` resolves when the disk has it.
 */
import type { GrantReads, GrantWrites } from './access.ts';
import type { AdminReads, AdminWrites } from './admins.ts';
import type { Actor, AuditReads } from './audit.ts';
import type { BundleReads, BundleWrites } from './bundles.ts';
import type { Commands } from './commands.ts';
import type { CreditWrites } from './credits.ts';
import type { DeviceReads, DeviceWrites } from './devices.ts';
import type { EntitlementReads } from './entitlements.ts';
import type { FreeClaimWrites } from './free-access.ts';
import type { PaymentReads, PaymentWrites } from './payments.ts';
import type { ProofReads } from './proofs.ts';
import type { RefundReads, RefundWrites } from './refunds.ts';
import type { RouterReads, RouterWrites } from './routers.ts';
import type { SettingReads, SettingWrites } from './settings.ts';
import type { ShiftReads, ShiftWrites } from './shifts.ts';
import type { SmsReads, SmsWrites } from './sms.ts';
import type { StandingReads } from './standings.ts';
import type { StatReads } from './stats.ts';
import type { Instant } from './time.ts';
import type { UserReads, UserWrites } from './users.ts';
import type { VoucherSaleReads, VoucherSaleWrites } from './voucher-sales.ts';
import type { VoucherReads, VoucherWrites } from './vouchers.ts';
import type { WebhookLogReads, WebhookLogWrites } from './webhook-logs.ts';

/** The configuration that decisions depend on. */
export interface Policy {
  currency: string;
  timeZone: string;
  language: string;
  defaultMaxDevices: number;
  /** An order left unpaid for this long becomes cancelled. */
  orderExpiryMinutes: number;
  /** Name of the configured payment provider; `none`: nothing is sold online. */
  paymentProvider: string;
  /** False: no message is ever queued. */
  smsEnabled: boolean;
}

/** Ids from `lowest` up to, but not with, `below`. */
export interface IdRange {
  lowest: number;
  below: number;
}

export interface Reads {
  users: UserReads;
  devices: DeviceReads;
  entitlements: EntitlementReads;
  standings: StandingReads;
  bundles: BundleReads;
  vouchers: VoucherReads;
  voucherSales: VoucherSaleReads;
  payments: PaymentReads;
  proofs: ProofReads;
  refunds: RefundReads;
  shifts: ShiftReads;
  grants: GrantReads;
  webhookLogs: WebhookLogReads;
  admins: AdminReads;
  settings: SettingReads;
  routers: RouterReads;
  sms: SmsReads;
  audit: AuditReads;
  stats: StatReads;
}

export interface Tx<Who extends Actor | null = Actor | null> {
  policy: Policy;
  /** When the command was asked for. */
  now: Instant;
  /** Who of the staff asked for it; null: a person on the portal, or the appliance by itself. */
  actor: Who;
  /** Adds what staff did to the audit log; without an actor, nothing. */
  record(action: string, subject: string, subjectId: number | null, before?: unknown, after?: unknown): void;
  /** Takes the person's number, name and note out of the audit log. */
  forgetPerson(userId: number): void;
  users: UserWrites;
  devices: DeviceWrites;
  bundles: BundleWrites;
  vouchers: VoucherWrites;
  voucherSales: VoucherSaleWrites;
  payments: PaymentWrites;
  refunds: RefundWrites;
  credits: CreditWrites;
  freeClaims: FreeClaimWrites;
  shifts: ShiftWrites;
  grants: GrantWrites;
  webhookLogs: WebhookLogWrites;
  admins: AdminWrites;
  settings: SettingWrites;
  routers: RouterWrites;
  sms: SmsWrites;
}

/** With the person who asked for it. */
export type StaffTx = Tx<Actor>;

/**
 * Runs a command in the writer, as of now. Resolves with its result once the disk has it.
 * @throws LangoError whatever the command threw (nothing was changed), or STORAGE_UNAVAILABLE
 */
export type Commit = <Name extends keyof Commands>(
  name: Name,
  input: Parameters<Commands[Name]>[1],
  ...by: Commands[Name] extends (tx: Tx, input: never) => unknown ? [actor?: Actor | null] : [actor: Actor]
) => Promise<ReturnType<Commands[Name]>>;
