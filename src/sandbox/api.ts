/** What the sandbox's API answers, without the HTTP around it: a request comes in as data, an answer goes out. */
import { formatAmount, isCurrency, type Money, parseAmount } from '../domain/money.ts';
import { isWebAddress } from '../outbound/reach.ts';
import type { Checkouts, SandboxCheckout } from './checkouts.ts';

/** Ways for a test to make the service misbehave. */
export interface SandboxFaults {
  /** The API answers 503. */
  down: boolean;
  /** The API answers 429 with `Retry-After: 1`. */
  rateLimited: boolean;
  /** The API answers 200 with an HTML page. */
  nonJson: boolean;
  /** Every API answer is held back this many milliseconds; what was asked for has happened by then. */
  delayMs: number;
  /** What is said to have been paid, in major units, instead of the amount asked for. */
  paidAmount: string | null;
  /** The currency it is said to have been paid in. */
  paidCurrency: string | null;
  /** A refund is answered PENDING first, and is COMPLETED once it is asked for or about again. */
  slowRefunds: boolean;
}

export const NO_FAULTS: Readonly<SandboxFaults> = {
  down: false,
  rateLimited: false,
  nonJson: false,
  delayMs: 0,
  paidAmount: null,
  paidCurrency: null,
  slowRefunds: false,
};

export const CHANNEL = 'SANDBOX';

const MOST_REFUNDS = 100;

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The amount as the service reports it, bent by the faults. */
export function reportedAmount(checkout: SandboxCheckout, faults: SandboxFaults): Money {
  const asked = { minor: checkout.minor, currency: checkout.currency };
  const currency = faults.paidCurrency ?? asked.currency;
  return parseAmount(faults.paidAmount ?? formatAmount(asked), currency) ?? asked;
}

/** @param pageOf the address of a checkout's page */
export function createCheckout(checkouts: Checkouts, fields: Fields, pageOf: (reference: string) => string): Answer {
  const orderReference = text(fields, 'order_reference', 64);
  const currency = text(fields, 'currency', 3);
  const description = text(fields, 'description', 200);
  const phone = text(fields, 'phone_number', 20);
  const returnUrl = text(fields, 'return_url', 8_000);
  const webhookUrl = text(fields, 'webhook_url', 2_000);
  if (orderReference === null || description === null || phone === null) return refusal(400, 'A field is missing.');
  if (currency === null || !isCurrency(currency)) return refusal(400, 'currency is unknown.');
  if (returnUrl === null || !isWebAddress(returnUrl)) return refusal(400, 'return_url is no address.');
  if (webhookUrl === null || !isWebAddress(webhookUrl)) return refusal(400, 'webhook_url is no address.');
  const money = parseAmount(text(fields, 'amount', 20) ?? '', currency);
  if (money === null || money.minor <= 0) return refusal(400, 'amount is not a positive decimal.');

  const known = checkouts.byOrder(orderReference);
  if (known !== undefined && (known.minor !== money.minor || known.currency !== currency)) {
    return refusal(409, 'This order reference is in use for another amount.');
  }
  const checkout =
    known ?? checkouts.add({ orderReference, minor: money.minor, currency, phone, description, returnUrl, webhookUrl });
  const { paymentReference } = checkout;
  return {
    status: known === undefined ? 201 : 200,
    body: { payment_reference: paymentReference, redirect_url: pageOf(paymentReference) },
  };
}

export function checkoutStatus(checkouts: Checkouts, orderReference: string, faults: SandboxFaults): Answer {
  const checkout = checkouts.byOrder(orderReference);
  if (checkout === undefined) return refusal(404, 'No such order.');
  const money = reportedAmount(checkout, faults);
  return {
    status: 200,
    body: {
      order_reference: checkout.orderReference,
      payment_reference: checkout.paymentReference,
      status: checkout.status,
      amount: formatAmount(money),
      currency: money.currency,
      phone_number: checkout.phone,
      transaction_id: checkout.transactionId,
      payment_channel: CHANNEL,
    },
  };
}

export function refundCheckout(
  checkouts: Checkouts,
  fields: Fields,
  idempotencyKey: string,
  faults: SandboxFaults,
): Answer {
  const checkout = checkouts.byOrder(text(fields, 'order_reference', 64) ?? '');
  if (checkout === undefined) return refusal(404, 'No such order.');
  if (checkout.status !== 'COMPLETED') return refusal(409, 'This order is not paid.');
  const known = checkout.refunds.find(each => each.idempotencyKey === idempotencyKey);
  if (known !== undefined) {
    checkouts.finishRefund(checkout, known);
    return { status: 200, body: { refund_id: known.id, status: known.status } };
  }
  const money = parseAmount(text(fields, 'amount', 20) ?? '', checkout.currency);
  const left = checkout.refunds.reduce((rest, each) => rest - each.minor, checkout.minor);
  if (money === null || money.minor <= 0 || fields['currency'] !== checkout.currency) {
    return refusal(400, 'amount and currency do not fit the payment.');
  }
  if (money.minor > left || checkout.refunds.length >= MOST_REFUNDS) {
    return refusal(422, 'The amount is more than is left to refund.');
  }
  const status = faults.slowRefunds ? 'PENDING' : 'COMPLETED';
  const added = checkouts.addRefund(checkout, { idempotencyKey, minor: money.minor, status });
  return { status: 201, body: { refund_id: added.id, status } };
}

export function refundStatus(checkouts: Checkouts, orderReference: string, refundId: string): Answer {
  const checkout = checkouts.byOrder(orderReference);
  const refund = checkout?.refunds.find(each => each.id === refundId);
  if (checkout === undefined || refund === undefined) return refusal(404, 'No such refund.');
  checkouts.finishRefund(checkout, refund);
  return { status: 200, body: { refund_id: refund.id, status: refund.status } };
}

export function refusal(status: number, message: string): Answer {
  return { status, body: { message } };
}

function text(fields: Fields, name: string, longest: number): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null;
}
