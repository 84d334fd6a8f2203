/** The provider's notifications as they arrived. See docs/interface.md: Notification. */
import { createHash } from 'node:crypto';
import type { Money } from './money.ts';
import type { Payment, PaymentReads } from './payments.ts';
import type { WebhookEvent } from './ports.ts';
import type { Instant } from './time.ts';
import type { Tx } from './transaction.ts';

export type WebhookOutcome = 'accepted' | 'duplicate' | 'unknown_order' | 'refused';

export interface WebhookLog {
  id: number;
  provider: string;
  /** The provider's id of the event, or the hash of the body. */
  eventKey: string;
  authenticity: WebhookEvent['authenticity'];
  outcome: WebhookOutcome;
  orderReference: string | null;
  paymentReference: string | null;
  paymentStatus: string;
  amount: Money | null;
  phone: string | null;
  /**
   * The received payload: a JSON object where it was one, else `{raw: text}`. What is not kept or shown whole is
   * `{truncated: true, bytes, raw}`: its length, and how it begins.
   */
  data: Record<string, unknown>;
  ip: string | null;
  processedAt: Instant;
}

export interface WebhookLogReads {
  /** With its whole payload, as far as it was kept. */
  byId(id: number): WebhookLog | null;
  /** Newest first, long payloads shortened. */
  list(page: { limit: number; offset: number }): WebhookLog[];
  count(): number;
  /** Newest first, long payloads shortened. */
  ofOrder(orderReference: string): WebhookLog[];
}

/** How much of the log is kept. Sizes count the row and its index entries. */
export interface LogBounds {
  rows: number;
  bytes: number;
  /** Of unproven webhooks: what strangers can make the log take. */
  unprovenBytes: number;
}

export interface WebhookLogWrites extends WebhookLogReads {
  /** @param log `isProven`: the provider signed it, and it is of an order of ours */
  insert(log: Omit<WebhookLog, 'id'> & { isProven: boolean }): void;
  isKnown(provider: string, eventKey: string): boolean;
  /** Forgets the oldest until the log is within its bounds: what proves nothing first. @returns how many, `limit` at most */
  makeRoom(bounds: LogBounds, limit: number): number;
  /** Forgets what is older. @returns how many, `limit` at most */
  prune(before: Instant, limit: number): number;
}

interface RecordWebhook {
  /** null: the bytes were no notification at all. */
  event: WebhookEvent | null;
  rawBody: string;
  ip: string | null;
}

/** Anybody can send notifications, so what is kept of them is bounded. */
export const LOG_BOUNDS: LogBounds = { rows: 100_000, bytes: 64 * 1_024 * 1_024, unprovenBytes: 4 * 1_024 * 1_024 };
/** A large notification pushes out at most this many small ones. */
const MOST_PUSHED_OUT = 2_000;

/** Only the provider can have sent it. */
export function isSigned(event: WebhookEvent | null): boolean {
  return event?.authenticity === 'signed' || event?.authenticity === 'shared-secret';
}

/** The order that a notification is about, if it is one of ours. */
export function orderOf(
  reads: { payments: PaymentReads },
  provider: string,
  event: WebhookEvent | null,
): Payment | null {
  if (event === null) return null;
  const { orderReference, paymentReference } = event;
  const byOrder = orderReference === null ? null : reads.payments.byOrderReference(orderReference);
  if (byOrder !== null || paymentReference === null) return byOrder;
  return reads.payments.byPaymentReference(provider, paymentReference);
}

/** What came is kept, also when it is refused. Nothing is granted here: the provider is asked first. */
export function recordWebhook(
  tx: Tx,
  { event, rawBody, ip }: RecordWebhook,
): { outcome: WebhookOutcome; payment: Payment | null } {
  const provider = tx.policy.paymentProvider;
  const eventKey = eventKeyOf(event, rawBody);
  const payment = orderOf(tx, provider, event);
  const isProven = payment !== null && isSigned(event);
  const outcome = outcomeOf(event, payment !== null, () => tx.webhookLogs.isKnown(provider, eventKey));
  tx.webhookLogs.insert({
    provider,
    eventKey,
    authenticity: event?.authenticity ?? 'invalid',
    outcome,
    orderReference: payment?.orderReference ?? clipped(event?.orderReference),
    paymentReference: clipped(event?.paymentReference),
    paymentStatus: clipped(event?.claimedState) ?? 'INVALID',
    amount: event?.amount ?? null,
    phone: clipped(event?.phone),
    data: payload(rawBody, isProven ? Number.POSITIVE_INFINITY : LONGEST_UNPROVEN_BODY),
    ip,
    processedAt: tx.now,
    isProven,
  });
  tx.webhookLogs.makeRoom(LOG_BOUNDS, MOST_PUSHED_OUT);
  return { outcome, payment };
}

function outcomeOf(event: WebhookEvent | null, orderKnown: boolean, isRepeat: () => boolean): WebhookOutcome {
  if (event === null || event.authenticity === 'invalid') return 'refused';
  if (isRepeat()) return 'duplicate';
  return orderKnown ? 'accepted' : 'unknown_order';
}

/** Longer than any name or reference of a provider. */
const LONGEST_NAME = 100;

function clipped(name: string | null | undefined): string | null {
  return name?.slice(0, LONGEST_NAME) ?? null;
}

function eventKeyOf(event: WebhookEvent | null, rawBody: string): string {
  const given = event?.eventKey ?? null;
  if (given !== null && given.length <= LONGEST_NAME) return given;
  return createHash('sha256')
    .update(given ?? rawBody)
    .digest('hex');
}

/** In bytes. */
const LONGEST_UNPROVEN_BODY = 4_096;
/** No provider nests deeper; what does is kept as text, because writing it as JSON again can exhaust the stack. */
const DEEPEST_PAYLOAD = 32;

/** @param longest what has more bytes is cut to so many, and kept as text: anybody may have sent it */
function payload(rawBody: string, longest: number): Record<string, unknown> {
  const bytes = Buffer.byteLength(rawBody);
  if (bytes > longest) return { truncated: true, bytes, raw: Buffer.from(rawBody).toString('utf8', 0, longest) };
  try {
    const value: unknown = JSON.parse(rawBody);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && isWithin(DEEPEST_PAYLOAD, value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: kept as text below.
  }
  return { raw: rawBody };
}

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(inner => isWithin(levels - 1, inner));
}
