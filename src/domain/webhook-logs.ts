/** The provider's notifications as they arrived. Interface: "Payment webhook log". */
import { createHash } from 'node:crypto';
import type { Money } from './money.ts';
import type { Notice } from './ports.ts';
import type { Instant } from './time.ts';
import type { Tx } from './transaction.ts';

export type WebhookOutcome = 'accepted' | 'duplicate' | 'unknown_order' | 'refused';

export interface WebhookLog {
  id: number;
  provider: string;
  /** The provider's id of the event, or the hash of the body. */
  eventKey: string;
  authenticity: Notice['authenticity'];
  outcome: WebhookOutcome;
  orderReference: string | null;
  paymentReference: string | null;
  paymentStatus: string;
  amount: Money | null;
  phone: string | null;
  /** The received payload: a JSON object where it was one, else `{raw: text}`. */
  data: Record<string, unknown>;
  ip: string | null;
  processedAt: Instant;
}

export interface WebhookLogReads {
  /** Newest first. */
  list(page: { limit: number; offset: number }): WebhookLog[];
  count(): number;
  /** Newest first. */
  ofOrder(orderReference: string): WebhookLog[];
}

export interface WebhookLogWrites extends WebhookLogReads {
  insert(log: Omit<WebhookLog, 'id'>): WebhookLog;
  isKnown(provider: string, eventKey: string): boolean;
  /** Forgets what is older, and what is not among the newest `keep`, `limit` of each. @returns the larger of both counts */
  prune(before: Instant, keep: number, limit: number): number;
}

export interface RecordNotice {
  /** null: the bytes were no notification at all. */
  notice: Notice | null;
  rawBody: string;
  ip: string | null;
  now: Instant;
}

/** What came is kept, also when it is refused. Nothing is granted here: the provider is asked first. */
export function recordNotice(
  tx: Tx,
  { notice, rawBody, ip, now }: RecordNotice,
): { outcome: WebhookOutcome; paymentId: number | null } {
  const provider = tx.policy.paymentProvider;
  const eventKey = notice?.eventKey ?? createHash('sha256').update(rawBody).digest('hex');
  const payment = notice === null ? null : paymentOf(tx, provider, notice);
  const outcome = outcomeOf(notice, payment !== null, () => tx.webhookLogs.isKnown(provider, eventKey));
  tx.webhookLogs.insert({
    provider,
    eventKey,
    authenticity: notice?.authenticity ?? 'invalid',
    outcome,
    orderReference: payment?.orderReference ?? notice?.orderReference ?? null,
    paymentReference: notice?.paymentReference ?? null,
    paymentStatus: notice?.claimedState ?? 'INVALID',
    amount: notice?.amount ?? null,
    phone: notice?.phone ?? null,
    data: payload(rawBody, outcome === 'refused' ? LONGEST_RAW_TEXT : rawBody.length),
    ip,
    processedAt: now,
  });
  return { outcome, paymentId: payment?.id ?? null };
}

function paymentOf(tx: Tx, provider: string, notice: Notice): { id: number; orderReference: string } | null {
  const byOrder = notice.orderReference === null ? null : tx.payments.byOrderReference(notice.orderReference);
  if (byOrder !== null || notice.paymentReference === null) return byOrder;
  return tx.payments.byPaymentReference(provider, notice.paymentReference);
}

function outcomeOf(notice: Notice | null, orderKnown: boolean, isRepeat: () => boolean): WebhookOutcome {
  if (notice === null || notice.authenticity === 'invalid') return 'refused';
  if (isRepeat()) return 'duplicate';
  return orderKnown ? 'accepted' : 'unknown_order';
}

const LONGEST_RAW_TEXT = 4_096;
/** No provider nests deeper; what does is kept as text, because writing it as JSON again can exhaust the stack. */
const DEEPEST_PAYLOAD = 32;

/** @param longest what is longer is kept as text, and cut: anybody may have sent it */
function payload(rawBody: string, longest: number): Record<string, unknown> {
  try {
    const value: unknown = rawBody.length > longest ? null : JSON.parse(rawBody);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && isWithin(DEEPEST_PAYLOAD, value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON, or too much of it: kept as text below.
  }
  return { raw: rawBody.slice(0, LONGEST_RAW_TEXT) };
}

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(inner => isWithin(levels - 1, inner));
}

export interface PruneWebhookLogs {
  before: Instant;
  /** The newest so many stay; older ones go even if they are young. */
  keep: number;
  limit: number;
}

export function pruneWebhookLogs(tx: Tx, { before, keep, limit }: PruneWebhookLogs): { pruned: number } {
  return { pruned: tx.webhookLogs.prune(before, keep, limit) };
}
