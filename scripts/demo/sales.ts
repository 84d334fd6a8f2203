/** What is sold: with phone money over the portal, for cash at the counter, against vouchers. */
import { attachCheckout, cancelExpiredOrders, openOrder } from '../../src/domain/orders.ts';
import { type Payment, settlePayment } from '../../src/domain/payments.ts';
import type { Verification } from '../../src/domain/ports.ts';
import { sellForCash } from '../../src/domain/sales.ts';
import type { Instant } from '../../src/domain/time.ts';
import { sellVouchers } from '../../src/domain/voucher-sales.ts';
import { redeemVoucher } from '../../src/domain/vouchers.ts';
import { recordWebhook } from '../../src/domain/webhook-logs.ts';
import type { BundleName, Colleague, Person } from './cafe.ts';
import { earlier, known, type Scene, type Stage, secondsAfter } from './stage.ts';
import type { Visit } from './visits.ts';

/** Of the operator that the number is of. */
const WALLETS: Readonly<Record<string, string>> = {
  '71': 'MIXX BY YAS',
  '75': 'M-PESA',
  '76': 'M-PESA',
  '78': 'AIRTEL MONEY',
  '68': 'AIRTEL MONEY',
  '62': 'HALOPESA',
};

/** An order on its way to the payment service. */
export function order(stage: Stage, at: Instant, person: Person, bundle: BundleName): Payment {
  const { phone, mac, address, language } = person;
  const { id: bundleId } = known(stage.bundles, bundle);
  const opened = openOrder(stage.portal(at), { phone, bundleId, language, mac, ip: address, madeFrom: address });
  const paymentReference = `SBX${(stage.checkouts.length + 1).toString(16).toUpperCase().padStart(16, '0')}`;
  stage.checkouts.push({
    orderReference: opened.orderReference,
    paymentReference,
    minor: opened.amount.minor,
    currency: opened.amount.currency,
    phone,
    description: opened.bundleName,
    returnUrl: `${stage.baseUrl}/?order=${opened.orderReference}`,
    webhookUrl: `${stage.baseUrl}/api/payment-webhook/`,
    status: 'PENDING',
    transactionId: null,
    refunds: [],
  });
  const redirectUrl = `${stage.baseUrl}/sandbox/checkout/${paymentReference}`;
  const checkout = { paymentId: opened.id, paymentReference, redirectUrl };
  return attachCheckout(stage.portal(secondsAfter(at, 1)), checkout);
}

/** The payment service decides, and tells. @param paidMinor what was paid, where that is not the price */
export function decide(
  stage: Stage,
  at: Instant,
  payment: Payment,
  state: 'completed' | 'failed',
  paidMinor = payment.amount.minor,
): Verification {
  const { orderReference, paymentReference, phone } = payment;
  const amount = { ...payment.amount, minor: paidMinor };
  const place = stage.checkouts.findLastIndex(checkout => checkout.orderReference === orderReference);
  const transactionId = state === 'completed' ? `T${String(10_000_000 + place)}` : null;
  const status = state === 'completed' ? 'COMPLETED' : 'FAILED';
  Object.assign(stage.checkouts[place] ?? {}, { status, transactionId, minor: paidMinor });
  const channel = WALLETS[phone.slice(4, 6)] ?? null;
  const event = {
    authenticity: 'signed',
    eventKey: `event-${place}-${status}`,
    orderReference,
    paymentReference,
  } as const;
  recordWebhook(stage.portal(at), {
    event: { ...event, claimedState: status, amount, phone, reply: null },
    rawBody: JSON.stringify({
      event_id: event.eventKey,
      order_reference: orderReference,
      payment_reference: paymentReference,
      payment_status: status,
      amount: paidMinor / 100,
      currency: amount.currency,
      phone_number: phone,
      transaction_id: transactionId,
      payment_channel: channel,
    }),
    ip: '127.0.0.1',
  });
  const verification = { ...answerOf(payment, { state, amount }), transactionId, channel };
  settlePayment(stage.portal(secondsAfter(at, 1)), {
    paymentId: payment.id,
    verification,
    scheduled: false,
    onlineMacs: [],
  });
  return verification;
}

/** The appliance asks about what is not paid for two days, then no more. */
const ASKED_SECONDS = 48 * 3_600 + 60;
const RETRY_SECONDS = 180;
/** How long the slowest takes from the order to the last of it. */
export const SALE_SECONDS = 600;

/**
 * Who fails tries again, and succeeds.
 * @param patience seconds until the person has given the PIN
 */
export function onlineSale({ at, person, bundle, outcome }: Visit, patience: number, now: Instant): Scene[] {
  const buy = (stage: Stage, moment: Instant) =>
    decide(stage, secondsAfter(moment, patience), order(stage, moment, person, bundle), 'completed');
  if (outcome === 'paid') return [{ at, play: stage => void buy(stage, at) }];
  let unpaid: { payment: Payment; verification: Verification };
  const begin = (stage: Stage) => {
    const payment = order(stage, at, person, bundle);
    const verification =
      outcome === 'failed'
        ? decide(stage, secondsAfter(at, patience), payment, 'failed')
        : answerOf(payment, { state: 'pending', amount: payment.amount });
    unpaid = { payment, verification };
    if (outcome === 'failed') buy(stage, secondsAfter(at, RETRY_SECONDS));
  };
  return [{ at, play: begin }, ...endOfUnpaid(at, () => unpaid, now)];
}

/** What the appliance does about an order that is not paid: cancels it when its time is over, and asks all the same. */
export function endOfUnpaid(
  at: Instant,
  unpaid: () => { payment: Payment; verification: Verification },
  now: Instant,
): Scene[] {
  const asked = earlier(secondsAfter(at, ASKED_SECONDS), now);
  const expired = secondsAfter(at, 31 * 60);
  return [
    { at: expired, play: stage => cancelExpiredOrders(stage.portal(expired), { limit: 100 }) },
    {
      at: asked,
      play(stage) {
        const { payment, verification } = unpaid();
        const question = { paymentId: payment.id, verification, scheduled: true, onlineMacs: [] };
        settlePayment(stage.portal(asked), question);
      },
    },
  ];
}

const answerOf = (
  { paymentReference, phone }: Payment,
  answer: Pick<Verification, 'state' | 'amount'>,
): Verification => ({ ...answer, paymentReference, transactionId: null, channel: null, payerPhone: phone });

export function cashSale({ at, person, bundle }: Visit, seller: Colleague): Scene {
  const { phone, mac } = person;
  return {
    at,
    play(stage) {
      const { id: bundleId } = known(stage.bundles, bundle);
      sellForCash(stage.staff(at, seller), { phone, bundleId, mac, onlineMacs: [] });
    },
  };
}

/** Bought at the counter and used at once. @param batch whose card it is */
export function voucherSale({ at, person }: Visit, seller: Colleague, batch: string): Scene {
  const { phone, language, mac, address } = person;
  return {
    at,
    play(stage) {
      const code = known(stage.codes, batch).pop() ?? null;
      sellVouchers(stage.staff(at, seller), { code, quantity: 1 });
      const device = { mac, ip: address, isItself: true };
      redeemVoucher(stage.portal(secondsAfter(at, 120)), { phone, code, language, device, onlineMacs: [] });
    },
  };
}
