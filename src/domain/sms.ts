/** Messages to people. Queued in the transaction that causes them, sent after it. Decisions: 13. */
import type { Phone } from './phone.ts';
import { smsText } from './sms-texts.ts';
import { type Day, dayOf, type Instant, localClock } from './time.ts';
import type { Tx } from './transaction.ts';
import type { User } from './users.ts';

export type SmsKind =
  | 'payment_received'
  | 'voucher_redeemed'
  | 'access_ending'
  | 'access_expired'
  | 'refund'
  | 'vouchers';

export type SmsStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'dropped';

export interface SmsMessage {
  id: number;
  userId: number | null;
  phone: Phone;
  kind: SmsKind;
  text: string;
  status: SmsStatus;
  attempts: number;
  nextAttemptAt: Instant | null;
  reference: string | null;
  message: string | null;
  createdAt: Instant;
  sentAt: Instant | null;
}

export interface SmsToPerson {
  kind: Exclude<SmsKind, 'vouchers'>;
  user: User;
  /** One message per key, ever. */
  key: string;
  bundleName?: string;
  amount?: string;
  paidUntil: Instant | null;
  now: Instant;
}

export interface SmsReads {
  due(now: Instant, limit: number): SmsMessage[];
}

export interface SmsWrites extends SmsReads {
  /** A second message with the same key is dropped. */
  insert(message: NewSms): void;
  /** Drops what is queued for a person who is being deleted. */
  forget(userId: number): void;
}

export interface NewSms {
  userId: number | null;
  phone: Phone;
  kind: SmsKind;
  key: string;
  text: string;
  createdAt: Instant;
  createdDay: Day;
}

/** Queues a message to a person. Does nothing while no SMS provider is configured. */
export function queueSms(tx: Tx, message: SmsToPerson): void {
  if (!tx.policy.smsEnabled) return;
  const { user, kind, key, now } = message;
  const text = smsText(kind, user.language ?? tx.policy.language, {
    bundle: message.bundleName ?? '',
    amount: message.amount ?? '',
    until: message.paidUntil === null ? '' : localClock(message.paidUntil, tx.policy.timeZone),
  });
  const row = { userId: user.id, phone: user.phone, kind, key, text };
  tx.sms.insert({ ...row, createdAt: now, createdDay: dayOf(now, tx.policy.timeZone) });
}

const MAX_CODES_BY_SMS = 10;

export interface SmsOfVouchers {
  phone: Phone;
  batchUid: string;
  codes: readonly string[];
  bundleName: string;
  now: Instant;
}

/** One message a code: a message holds one code without being cut, and can be passed on to one person. */
export function queueVoucherSms(tx: Tx, { phone, batchUid, codes, bundleName, now }: SmsOfVouchers): void {
  if (!tx.policy.smsEnabled) return;
  for (const [index, code] of codes.slice(0, MAX_CODES_BY_SMS).entries()) {
    const text = smsText('vouchers', tx.policy.language, { bundle: bundleName, amount: '', until: '', code });
    const row = { userId: null, phone, kind: 'vouchers' as const, key: `batch:${batchUid}:${index}`, text };
    tx.sms.insert({ ...row, createdAt: now, createdDay: dayOf(now, tx.policy.timeZone) });
  }
}

export interface AnnounceExpiry {
  userIds: readonly number[];
  now: Instant;
}

/** Tells people that their time is over; those who have bought more meanwhile are left alone. */
export function announceExpiry(tx: Tx, { userIds, now }: AnnounceExpiry): Record<string, never> {
  for (const userId of userIds) {
    const user = tx.users.byId(userId);
    if (user === null || user.paidUntil === null || user.paidUntil > now) continue;
    queueSms(tx, {
      kind: 'access_expired',
      user,
      key: `expired:${userId}:${user.paidUntil}`,
      paidUntil: user.paidUntil,
      now,
    });
  }
  return {};
}
