/** The provider's answer about an order, for somebody who waits for it. */
import { withDeadline } from '../domain/deadline.ts';
import type { Payment } from '../domain/payments.ts';
import type { Context } from './context.ts';
import { macBehind } from './own-device.ts';
import { networkOf } from './rate-limits.ts';

/** How long the reply waits for it. */
const TIMEOUT_MS = 6_000;

/** @returns the order as it is afterwards. Never throws. */
export async function askProvider(context: Context, payment: Payment, clientIp: string): Promise<Payment> {
  const { reads, settler } = context;
  const network = networkOf(clientIp);
  const isPayer = payment.madeFrom === network || (await isOrderedFor(context, payment, clientIp));
  const asked = settler.settle(payment, isPayer ? 'payer' : 'hint', network);
  await withDeadline(asked, TIMEOUT_MS, () => undefined);
  return reads.payments.byId(payment.id) ?? payment;
}

async function isOrderedFor(context: Context, { mac, status }: Payment, clientIp: string): Promise<boolean> {
  return mac !== null && status !== 'completed' && (await macBehind(context, clientIp)) === mac;
}
