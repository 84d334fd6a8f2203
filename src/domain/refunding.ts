/**
 * Refunds: the amount is reserved, the provider is asked, its answer is settled. `follow` resumes whatever was
 * interrupted: a refund is paid at most once, and never forgotten.
 */
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import { type Payment, requirePayment } from './payments.ts';
import type { Log, PaymentProvider, RefundAnswer } from './ports.ts';
import { type OpenRefund, type Refund, requireRefund, type SettledRefund } from './refunds.ts';
import { type Clock, SECONDS_PER_HOUR, secondsBetween } from './time.ts';
import type { Commit, Reads } from './transaction.ts';

export interface Refunder {
  /**
   * Resolves when the provider has answered, or could not be asked: the refund is `pending` then.
   * @throws LangoError NOT_FOUND, REFUND_NOT_ALLOWED, VALIDATION: nothing was reserved
   */
  refund(request: OpenRefund, actor: Actor): Promise<SettledRefund>;
  /** Takes every pending refund a step further. Never throws. */
  followAll(): Promise<void>;
}

interface RefunderOptions {
  provider: PaymentProvider;
  reads: Reads;
  commit: Commit;
  clock: Clock;
  log: Log;
  /** After the money is given back: the person may have less time now. */
  onSettled: (userId: number) => Promise<unknown>;
}

/** Providers keep idempotency keys for a day. */
const REPEATABLE_SECONDS = 23 * SECONDS_PER_HOUR;

const BY_HAND = {
  cash: 'This was a cash sale: give the money back by hand.',
  provider: 'The payment provider makes no refunds: send the money back by hand.',
  partial: 'The payment provider refunds whole payments only: send this part back by hand.',
  changed: 'The payment was made with another provider: send the money back there, by hand.',
  lost: "The provider's answer was lost. Look in its dashboard whether the refund was made; if not, make it there.",
};

export function createRefunder({ provider, reads, commit, clock, log, onSettled }: RefunderOptions): Refunder {
  const underWay = new Set<number>();
  /** Refunds that are being opened: on the disk perhaps, but not yet in `underWay`. */
  let opening = 0;

  /** Why a person must do it; null: the provider can be asked. */
  function whyByHand(payment: Payment, refund: Refund): string | null {
    if (payment.method === 'cash') return BY_HAND.cash;
    if (payment.provider !== provider.name) return BY_HAND.changed;
    if (provider.capabilities.refunds === 'none') return BY_HAND.provider;
    const isPart = refund.amount.minor < payment.amount.minor;
    return isPart && provider.capabilities.refunds === 'full' ? BY_HAND.partial : null;
  }

  function mayRepeat(refund: Refund): boolean {
    const age = secondsBetween(refund.createdAt, clock.now());
    return provider.capabilities.repeatableRefunds && age < REPEATABLE_SECONDS;
  }

  /** @param isFirst nobody has asked the provider for this refund yet */
  async function ask(payment: Payment, refund: Refund, isFirst: boolean): Promise<RefundAnswer> {
    const byHand = whyByHand(payment, refund);
    if (byHand !== null) return { outcome: 'manual', reference: null, message: byHand };
    const { orderReference, paymentReference, transactionId } = payment;
    if (refund.answeredAt !== null) {
      return provider.refundStatus({ orderReference, paymentReference, reference: refund.reference });
    }
    if (!isFirst && !mayRepeat(refund)) return { outcome: 'manual', reference: null, message: BY_HAND.lost };
    return provider.refund({
      orderReference,
      transactionId,
      amount: refund.amount,
      reason: refund.reason,
      idempotencyKey: refund.uid,
    });
  }

  /** @returns null when the provider could not be asked, or its answer was lost */
  async function answerOf(payment: Payment, refund: Refund, isFirst: boolean): Promise<RefundAnswer | null> {
    try {
      return await ask(payment, refund, isFirst);
    } catch (error) {
      if (error instanceof LangoError && error.code === 'PAYMENT_FAILED' && refund.answeredAt === null) {
        return { outcome: 'rejected', reference: null, message: error.message };
      }
      log.warn({ err: error, refund: refund.id, provider: provider.name }, 'refund.not_answered');
      return null;
    }
  }

  async function advance(refund: Refund, payment: Payment, isFirst: boolean): Promise<SettledRefund> {
    underWay.add(refund.id);
    try {
      const answer = await answerOf(payment, refund, isFirst);
      if (answer === null) return { refund, payment, userId: payment.userId };
      const settled = await commit('settleRefund', { refundId: refund.id, answer });
      log.info({ refund: refund.id, status: settled.refund.status }, 'refund.answered');
      if (settled.refund.status !== 'pending') await onSettled(settled.userId);
      return settled;
    } finally {
      underWay.delete(refund.id);
    }
  }

  return {
    async refund(request, actor) {
      opening += 1;
      let settled: Promise<SettledRefund>;
      try {
        const refund = await commit('openRefund', request, actor);
        settled = advance(refund, requirePayment(reads, refund.paymentId), true);
      } finally {
        opening -= 1;
      }
      return settled;
    },
    async followAll() {
      for (const { id } of reads.refunds.pending()) {
        const refund = requireRefund(reads, id);
        const isBeingAsked = underWay.has(id) || (opening > 0 && refund.answeredAt === null);
        if (refund.status !== 'pending' || isBeingAsked) continue;
        try {
          await advance(refund, requirePayment(reads, refund.paymentId), false);
        } catch (error) {
          log.error({ err: error, refund: id }, 'refund.not_followed');
        }
      }
    },
  };
}
