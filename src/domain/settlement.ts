/**
 * Finding out whether an order has been paid. Notifications, the polling schedule, a start and a waiting browser
 * all end here: the provider is asked, and what it says is settled in one command.
 */
import type { Mac } from './mac.ts';
import type { Payment, Settlement } from './payments.ts';
import type { Log, PaymentProvider, Verification } from './ports.ts';
import { createRequestBudget } from './request-budget.ts';
import type { Clock } from './time.ts';
import type { Commit, Reads } from './transaction.ts';

/** Why the provider is to be asked. */
export type SettleReason =
  /** A notification that proves its sender: asked at once. */
  | 'signed_webhook'
  /** The device that the order was made on asks, or its address: somebody is paying now. */
  | 'payer'
  /** Anybody could have caused it (an unsigned notification, a browser elsewhere). */
  | 'hint'
  /** The polling schedule, which then moves on. */
  | 'schedule'
  | 'staff';

export interface Settler {
  /**
   * Asks the provider about an order and settles what it says. Calls about one order share one question.
   * @param asker the network that caused the question; the one that the order was made from unless said otherwise
   * Never throws: a provider that cannot be asked leaves the payment as it is.
   */
  settle(payment: Payment, reason: SettleReason, asker?: string): Promise<Settlement>;
}

interface SettlerOptions {
  provider: PaymentProvider;
  reads: Reads;
  commit: Commit;
  clock: Clock;
  log: Log;
  onlineMacs: () => readonly Mac[];
  /** After a grant is on disk: put the person online. */
  onGranted: (payment: Payment) => Promise<unknown>;
}

const HINT_INTERVAL_MS = 10_000;
/**
 * How much of the provider's budget each reason may spend: what anybody can cause never starves the rest. Orders are
 * made outside of the budget.
 */
const BUDGET_SHARE: Readonly<Record<SettleReason, number>> = {
  signed_webhook: 1,
  staff: 1,
  payer: 0.9,
  schedule: 0.8,
  hint: 0.5,
};
/** Those that cost a stranger nothing: at most every 10 s per order, and each asker has a part of the budget. */
const BY_ANYBODY: ReadonlySet<SettleReason> = new Set(['payer', 'hint']);
/** Orders whose last question is remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 10_000;

export function createSettler(options: SettlerOptions): Settler {
  const { provider, reads, commit, clock, log, onlineMacs, onGranted } = options;
  const underWay = new Map<number, Promise<Settlement>>();
  const askedAt = new Map<number, number>();
  const budget = createRequestBudget(provider.capabilities.requestsPerMinute, clock);

  async function ask(payment: Payment): Promise<Verification | null> {
    remember(payment.id);
    try {
      return await provider.verify(payment);
    } catch (error) {
      log.warn({ err: error, payment: payment.id, provider: provider.name }, 'payment.not_verified');
      return null;
    }
  }

  /** What anybody can cause, and what can change nothing but a flag any more, is asked every 10 s at most. */
  function mayAsk({ id, status }: Payment, reason: SettleReason): boolean {
    if (reason === 'staff' || (!BY_ANYBODY.has(reason) && status !== 'completed')) return true;
    if (BY_ANYBODY.has(reason) && status === 'completed') return false;
    const last = askedAt.get(id);
    return last === undefined || clock.monotonic() - last >= HINT_INTERVAL_MS;
  }

  function remember(paymentId: number): void {
    askedAt.delete(paymentId);
    askedAt.set(paymentId, clock.monotonic());
    const [oldest] = askedAt.keys();
    if (askedAt.size > MOST_REMEMBERED && oldest !== undefined) askedAt.delete(oldest);
  }

  async function askAndSettle(payment: Payment, reason: SettleReason, asker: string): Promise<Settlement> {
    const isUrgent = reason === 'signed_webhook' || reason === 'staff';
    const mayCall = budget.take(BUDGET_SHARE[reason], isUrgent ? null : asker);
    // The schedule and a waiting browser come again by themselves; a notification does not.
    if (!mayCall && reason !== 'signed_webhook') return notAsked(payment);
    const verification = mayCall ? await ask(payment) : null;
    try {
      const scheduled = reason === 'schedule';
      const input = { paymentId: payment.id, verification, scheduled, onlineMacs: onlineMacs() };
      const settlement = await commit('settlePayment', input);
      if (settlement.granted) {
        log.info({ payment: payment.id, provider: provider.name }, 'payment.completed');
        await onGranted(settlement.payment);
      }
      return settlement;
    } catch (error) {
      log.error({ err: error, payment: payment.id }, 'payment.not_settled');
      return { payment, granted: false, answered: false };
    }
  }

  return {
    async settle(payment, reason, asker) {
      const running = underWay.get(payment.id);
      if (running !== undefined) return running;
      const current = reads.payments.byId(payment.id) ?? payment;
      if (current.method === 'cash' || !mayAsk(current, reason)) return notAsked(current);

      const origin = current.madeFrom ?? `order ${current.id}`;
      const settling = askAndSettle(current, reason, asker ?? origin).finally(() => underWay.delete(payment.id));
      underWay.set(payment.id, settling);
      return settling;
    },
  };
}

function notAsked(payment: Payment): Settlement {
  return { payment, granted: false, answered: null };
}
