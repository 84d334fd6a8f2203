/** After the checkout: follows the order until money and internet are there, and says plainly how far it is. */
import type { PaymentStatus } from '../../src/contract/payments.ts';
import type { Notice } from '../../src/contract/words.ts';
import { call, type Reply } from './api.ts';
import { type ConnectResult, connect, connectPaid } from './connect.ts';
import { whileBusy } from './form.ts';
import { byId, isShown, say, show } from './page.ts';
import { duration, fill, text } from './words.ts';

export interface Ending {
  /** Its order is still to be paid. */
  pending(order: PaymentStatus): void;
  found(result: ConnectResult): void;
  ended(notice: Notice): void;
  unknownOrder(): void;
}

/** Seconds between two questions: short just after the payment, later as long as the server waits between its own. */
const QUICK = 3;
const STEADY = 10;
const QUICK_CHECKS = 20;
/** About two minutes: by then a payment that works has arrived. */
const SLOW_AFTER_CHECKS = 25;

let following = '';
let timer = 0;
let checks = 0;
let ending: Ending;

export function setUpWaiting(to: Ending): void {
  ending = to;
  byId('check').addEventListener('click', () => whileBusy(byId('check'), text.checking, ask));
  // The prompt that asks for the PIN covers the page; what it decided is known the moment it is gone.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isShown('waiting')) void ask();
  });
}

export function wait(order: string): void {
  following = order;
  checks = 0;
  byId('order').textContent = order;
  byId('checkout').hidden = true;
  byId('step-payment').className = 'now';
  byId('step-internet').className = '';
  show('waiting', 'waiting', text.waitingTitle, text.waitingLead);
  void ask();
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  const order = following;
  const reply = await call<PaymentStatus>(`payment-status/${encodeURIComponent(order)}/`);
  if (order !== following || !isShown('waiting')) return;
  checks += 1;
  if (await hasEnded(reply)) return;
  if (!reply.ok) say(reply.problem.status === 0 ? text.waitingNoAnswer : text.waitingLead);
  else say(checks > SLOW_AFTER_CHECKS ? text.waitingSlow : text.waitingLead);
  const pause = checks <= QUICK_CHECKS ? QUICK : STEADY;
  countDown(reply.ok ? pause : Math.max(pause, Math.min(reply.problem.retryAfter, 60)));
}

async function hasEnded(reply: Reply<PaymentStatus>): Promise<boolean> {
  if (!reply.ok) {
    if (reply.problem.status !== 404) return false;
    ending.unknownOrder();
    return true;
  }
  const payment = reply.body;
  switch (payment.payment_status) {
    case 'FAILED':
      ending.ended(text.paymentFailed);
      return true;
    case 'CANCELLED':
      ending.ended(text.paymentCancelled);
      return true;
    case 'COMPLETED':
      if (payment.access_granted) sayReceived();
      await finish(payment);
      return true;
    default:
      offerCheckout(payment.redirect_url);
      ending.pending(payment);
      return false;
  }
}

function sayReceived(): void {
  byId('step-payment').className = 'done';
  byId('step-internet').className = 'now';
  byId('countdown').textContent = '';
  say(text.paymentReceived);
}

/** Whose payment was given back may have other time. */
async function finish(payment: PaymentStatus): Promise<void> {
  const result = await resultAfter(payment);
  const isOver = result.kind === 'unpaid' || result.kind === 'expired';
  if (isOver && !payment.access_granted) ending.ended(text.paymentReturned);
  else ending.found(result);
}

/** For somebody who closed the provider's page too early, or came back from it. */
function offerCheckout(page: string | undefined): void {
  const link = byId<HTMLAnchorElement>('checkout');
  link.hidden = !page;
  if (page) link.href = page;
}

/** The order proves whose number it is. */
function resultAfter({ phone_number: phone, subscription_end: until, access_granted }: PaymentStatus) {
  return access_granted && until !== null ? connectPaid(phone, following, until) : connect(phone, following);
}

function countDown(seconds: number): void {
  if (!isShown('waiting')) return;
  byId('countdown').textContent = fill(text.nextCheck, { time: duration(seconds) });
  timer = window.setTimeout(() => {
    if (seconds > 1) countDown(seconds - 1);
    else void ask();
  }, 1_000);
}
