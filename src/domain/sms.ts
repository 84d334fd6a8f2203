/**
 * Messages to people. Queued in the transaction that causes them, sent after it. See docs/rules.md: SMS.
 *
 * queued → sending → sent | failed | uncertain, or back to queued when it was certainly not sent. `sending` is on
 * disk before the provider is called, so whatever happens then, no message is ever paid for twice.
 */

import { limitsOf } from './limits.ts';
import { type Money, withCurrency } from './money.ts';
import type { Phone } from './phone.ts';
import { many } from './plural.ts';
import type { SmsAnswer } from './ports.ts';
import { CODE_MINUTES } from './proof-codes.ts';
import { type SmsValues, smsText } from './sms-texts.ts';
import { addSeconds, type Day, dayOf, type Instant, localClock, secondsBetween } from './time.ts';
import type { Policy, Reads, Tx } from './transaction.ts';
import type { User } from './users.ts';
import type { GeneratedVouchers } from './vouchers.ts';

export type SmsKind =
  | 'payment_received'
  /** The same of a cash sale. */
  | 'receipt'
  | 'voucher_redeemed'
  | 'access_ending'
  | 'access_expired'
  | 'refund'
  | 'vouchers'
  | 'device_code';

export type SmsStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'dropped';

export interface SmsMessage {
  id: number;
  userId: number | null;
  phone: Phone;
  kind: SmsKind;
  /** One message per key, ever. */
  key: string;
  text: string;
  status: SmsStatus;
  attempts: number;
  nextAttemptAt: Instant | null;
  /** The provider's. */
  reference: string | null;
  /** Why it was not sent, for staff. */
  message: string | null;
  createdAt: Instant;
  /** The day whose limits it counts against. */
  createdDay: Day;
  sentAt: Instant | null;
}

interface SmsToPerson {
  kind: Exclude<SmsKind, 'vouchers' | 'device_code'>;
  user: User;
  /** One message per key, ever. */
  key: string;
  bundleName?: string;
  amount?: Money;
  paidUntil?: Instant;
  /** The number of a cash sale's receipt. */
  receipt?: string | undefined;
}

export interface SmsReads {
  /** Newest first. */
  list(page: { limit: number; offset: number }): SmsMessage[];
  count(): number;
  /** Queued messages whose time has come, longest waiting first. */
  due(now: Instant, limit: number): SmsMessage[];
  /** How many codes of a day may have cost money, or will. */
  countDeviceCodes(day: Day): number;
  /** How many messages of a day may have cost money: all of them, and those to one number. */
  charged(day: Day, phone: Phone): { all: number; toPhone: number };
}

export interface SmsWrites extends SmsReads {
  /** A second message with the same key is dropped. */
  insert(message: Pick<SmsMessage, 'userId' | 'phone' | 'kind' | 'key' | 'text' | 'createdAt' | 'createdDay'>): void;
  /** queued → sending; one attempt more. */
  begin(id: number): void;
  /** What has become of a message. */
  end(id: number, end: SmsEnd): void;
  /** sending → uncertain. @returns how many */
  endInterrupted(message: string): number;
  /** Forgets what was written to a person who is being deleted, and what would be. */
  forget(userId: number): void;
  /** Messages of days before that one. @returns how many */
  pruneBefore(day: Day, limit: number): number;
  /** When the person is to be reminded that access ends; null: not at all. Replaces what was set before. */
  setReminder(userId: number, dueAt: Instant | null): void;
  /** People whose reminder is due, longest due first. */
  dueReminders(now: Instant, limit: number): number[];
}

type SmsEnd = Pick<SmsMessage, 'status' | 'reference' | 'message' | 'nextAttemptAt' | 'sentAt'>;

/** Queues a message to a person. Does nothing while no SMS provider is configured. */
export function queueSms(tx: Tx, { user, kind, key, bundleName, amount, paidUntil, receipt }: SmsToPerson): void {
  const until = paidUntil && localClock(paidUntil, tx.policy.timeZone);
  const values = { bundle: bundleName, amount: amount && withCurrency(amount), until, receipt };
  queue(tx, user, kind, key, values);
}

const MAX_CODES_BY_SMS = 10;

/** One message for each code: it fits without being cut, and can be passed on to one person. */
export function queueVoucherSms(tx: Tx, phone: Phone, { batch, bundle, codes }: GeneratedVouchers): void {
  const to = { id: null, phone, language: null };
  for (const [index, code] of codes.slice(0, MAX_CODES_BY_SMS).entries()) {
    queue(tx, to, 'vouchers', `batch:${batch.uid}:${index}`, { bundle: bundle.name, code });
  }
}

/**
 * A number without an account gets no message; the reply does not tell.
 * @param key finds the code when the message is sent: the code itself is not in the books
 */
export function queueDeviceCode(tx: Tx, { phone, key }: { phone: Phone; key: string }): void {
  const user = tx.users.byPhone(phone);
  if (user?.isActive) queue(tx, user, 'device_code', key, { code: CODE_GAP });
}

function queue(
  tx: Tx,
  { id: userId, phone, language }: Pick<User, 'phone' | 'language'> & { id: number | null },
  kind: SmsKind,
  key: string,
  values: SmsValues,
): void {
  if (!tx.policy.smsEnabled) return;
  const text = smsText(kind, language ?? tx.policy.language, values, tx.settings.get('messages'));
  const createdDay = dayOf(tx.now, tx.policy.timeZone);
  tx.sms.insert({ userId, phone, kind, key, text, createdAt: tx.now, createdDay });
}

/** Marks the place of the code in a message of the outbox. */
export const CODE_GAP = '{code}';

/** Strangers can cause codes: these take no more than this part of a day's messages. */
const SHARE_OF_CODES = 0.2;

/** May another code be sent today? The same for every number. */
export function mayStillSendCodes(reads: Pick<Reads, 'sms' | 'settings'>, policy: Policy, now: Instant): boolean {
  const most = Math.ceil(limitsOf({ settings: reads.settings, policy }).smsPerDay * SHARE_OF_CODES);
  return reads.sms.countDeviceCodes(dayOf(now, policy.timeZone)) < most;
}

/** Takes messages for sending. Drops those that came too late or are over the limits. */
export function claimSms(tx: Tx, { limit }: { limit: number }): { messages: SmsMessage[] } {
  const messages: SmsMessage[] = [];
  for (const message of tx.sms.due(tx.now, limit)) {
    const reason = reasonToDrop(tx, message);
    if (reason === null) {
      tx.sms.begin(message.id);
      messages.push({ ...message, status: 'sending', attempts: message.attempts + 1, nextAttemptAt: null });
    } else tx.sms.end(message.id, { ...NOTHING_SENT, status: 'dropped', message: reason });
  }
  return { messages };
}

const NOTHING_SENT = { reference: null, nextAttemptAt: null, sentAt: null } as const;
/** A message that waited longer is dropped. */
const WORTH_SENDING_SECONDS = 12 * 3_600;
const CODE_SECONDS = CODE_MINUTES * 60;

function reasonToDrop(tx: Tx, message: SmsMessage): string | null {
  const isCode = message.kind === 'device_code';
  const waited = secondsBetween(message.createdAt, tx.now);
  if (isCode && waited > CODE_SECONDS) return 'The code in it is not valid any more.';
  if (waited > WORTH_SENDING_SECONDS) return 'It waited for more than 12 hours.';
  if (isOutdated(tx, message)) return 'The person’s time has changed since.';
  const { smsPerNumberPerDay, smsPerDay } = limitsOf(tx);
  const charged = tx.sms.charged(message.createdDay, message.phone);
  // Codes have a limit of their own, checked when one is requested.
  if (!isCode && charged.toPhone >= smsPerNumberPerDay)
    return `The limit of ${many(smsPerNumberPerDay, 'message')} a day to one number.`;
  if (charged.all >= smsPerDay) return `The limit of ${many(smsPerDay, 'message')} a day.`;
  return null;
}

/** A message about an end of access that has moved since, as it does when somebody buys more. */
function isOutdated(tx: Tx, { kind, key, userId }: SmsMessage): boolean {
  if (userId === null || (kind !== 'access_ending' && kind !== 'access_expired')) return false;
  const paidUntil = tx.users.byId(userId)?.paidUntil ?? null;
  if (paidUntil === null || key !== endKey(kind, userId, paidUntil)) return true;
  return kind === 'access_ending' && paidUntil <= tx.now;
}

interface RecordSmsAnswer {
  smsId: number;
  /** Which attempt this is the answer to, from 1. */
  attempt: number;
  answer: SmsAnswer;
}

/** Pauses after the first, second … attempt that was certainly not accepted; after the last, the message has failed. */
const RETRY_PAUSES_SECONDS: readonly number[] = [30, 120, 600, 3_600];

export function recordSmsAnswer(tx: Tx, { smsId, attempt, answer }: RecordSmsAnswer): { status: SmsStatus } {
  const { outcome, reference, message } = answer;
  const pause = outcome === 'retry' ? RETRY_PAUSES_SECONDS[attempt - 1] : undefined;
  const status = pause === undefined ? STATUS_AFTER[outcome] : 'queued';
  const nextAttemptAt = pause === undefined ? null : addSeconds(tx.now, pause);
  tx.sms.end(smsId, { status, reference, message, nextAttemptAt, sentAt: outcome === 'accepted' ? tx.now : null });
  return { status };
}

const STATUS_AFTER: Readonly<Record<SmsAnswer['outcome'], SmsStatus>> = {
  accepted: 'sent',
  refused: 'failed',
  retry: 'failed',
  uncertain: 'uncertain',
};

/** At a start: what was being sent when the appliance stopped may have been sent. It is not sent again. */
export function endInterruptedSms(tx: Tx): { uncertain: number } {
  return { uncertain: tx.sms.endInterrupted('The appliance stopped while it was being sent.') };
}

const SHORTEST_NOTICE_SECONDS = 5 * 60;

/**
 * Plans the message that says that access is about to end: when 10 % of the time is left that the person has now,
 * 5 minutes at least. Who has less than twice that has just been told when it ends, and is not told again.
 */
export function planReminder(tx: Tx, userId: number, paidUntil: Instant): void {
  if (!tx.policy.smsEnabled) return;
  const left = secondsBetween(tx.now, paidUntil);
  const notice = Math.max(SHORTEST_NOTICE_SECONDS, Math.ceil(left / 10));
  tx.sms.setReminder(userId, left < 2 * SHORTEST_NOTICE_SECONDS ? null : addSeconds(paidUntil, -notice));
}

interface AnnounceEnding {
  limit: number;
  /** Which reminders are due: stands still while the clock is not trusted. */
  until: Instant;
}

/** Tells people whose reminder is due; in an outage nobody, because ends move then. @returns how many were due */
export function announceEnding(tx: Tx, { limit, until }: AnnounceEnding): { due: number } {
  if (tx.settings.get('outage') !== null) return { due: 0 };
  const due = tx.sms.dueReminders(until, limit);
  for (const userId of due) {
    tx.sms.setReminder(userId, null);
    const user = tx.users.byId(userId);
    if (user === null || !user.isActive || user.paidUntil === null || user.paidUntil <= until) continue;
    queueEnd(tx, 'access_ending', user, user.paidUntil);
  }
  return { due: due.length };
}

type EndKind = 'access_ending' | 'access_expired';

function queueEnd(tx: Tx, kind: EndKind, user: User, paidUntil: Instant): void {
  queueSms(tx, { kind, user, key: endKey(kind, user.id, paidUntil), paidUntil });
}

function endKey(kind: EndKind, userId: number, paidUntil: Instant): string {
  return `${kind.slice('access_'.length)}:${userId}:${paidUntil}`;
}

interface AnnounceExpiry {
  userIds: readonly number[];
  /** Up to when access has been taken away. */
  until: Instant;
}

/** Tells people that their time is over; those who have bought more meanwhile are left alone. */
export function announceExpiry(tx: Tx, { userIds, until }: AnnounceExpiry): void {
  for (const userId of userIds) {
    const user = tx.users.byId(userId);
    if (user === null || user.paidUntil === null || user.paidUntil > until) continue;
    queueEnd(tx, 'access_expired', user, user.paidUntil);
  }
}
