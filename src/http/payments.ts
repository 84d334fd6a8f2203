/** Paying: start an order, follow it, and hear from the provider. See docs/rules.md: Payments. */
import type { ReplyOf } from '../contract/endpoint.ts';
import * as contract from '../contract/payments.ts';
import { LangoError } from '../domain/errors.ts';
import { isOrderReference } from '../domain/orders.ts';
import type { Payment } from '../domain/payments.ts';
import type { Checkout, WebhookEvent } from '../domain/ports.ts';
import { isSigned, orderOf } from '../domain/webhook-logs.ts';
import { askProvider } from './ask-provider.ts';
import type { Context } from './context.ts';
import { ownDevice } from './own-device.ts';
import { networkOf } from './rate-limits.ts';
import type { Api } from './route.ts';
import { checkoutView, paymentStatusView } from './views/payments.ts';

export function paymentRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits } = context;
  api.handle(
    contract.initiatePayment,
    async ({ body, clientIp }) => {
      const { mac = null, ip = null } = (await ownDevice(context, body, clientIp)) ?? {};
      const order = await commit('openOrder', {
        phone: body.phone_number,
        bundleId: body.bundle_id,
        language: body.language ?? null,
        mac,
        ip,
        madeFrom: networkOf(clientIp),
      });
      return checkOut(context, order, body.return_query ?? '');
    },
    { limit: limits.initiatePayment },
  );

  api.handle(contract.readPaymentStatus, async ({ params, clientIp }) => {
    const reference = params.order_reference.toUpperCase();
    const payment = isOrderReference(reference) ? reads.payments.byOrderReference(reference) : null;
    if (payment === null) throw new LangoError('NOT_FOUND', 'There is no order with this reference.');
    const current = await askProvider(context, payment, clientIp);
    return paymentStatusView(current, reads.users.byId(current.userId), reads.refunds.refundedMinor(current.id));
  });

  api.handle(contract.receiveWebhook, ({ body, headers, clientIp }) =>
    receiveWebhook(context, { rawBody: body, headers, now: clock.now() }, clientIp),
  );
}

/** The order is on disk by now. An order the provider may know of stays open, and is asked about. */
async function checkOut(context: Context, order: Payment, returnQuery: string): Promise<contract.Checkout> {
  const { provider, commit, baseUrl } = context;
  let checkout: Checkout;
  try {
    checkout = await provider.createCheckout({
      orderReference: order.orderReference,
      amount: order.amount,
      phone: order.phone,
      description: `Wi-Fi ${order.orderReference}`,
      returnUrl: returnUrl(baseUrl, order.orderReference, returnQuery),
      webhookUrl: `${baseUrl}/api/payment-webhook/`,
      expiresAt: order.expiresAt,
    });
  } catch (error) {
    const isRefused = error instanceof LangoError && error.code === 'PAYMENT_FAILED';
    if (isRefused) await commit('refuseOrder', { paymentId: order.id });
    throw error;
  }
  const payment = await commit('attachCheckout', { paymentId: order.id, ...checkout });
  return checkoutView(payment, checkout);
}

/** Parameters that the portal needs again after the payment: captive browsers keep no storage. */
const CARRIED = ['mac', 'ip', 'link-login-only', 'link-orig', 'lang'];

function returnUrl(baseUrl: string, orderReference: string, returnQuery: string): string {
  const given = new URLSearchParams(returnQuery);
  const carried = new URLSearchParams({ order: orderReference });
  for (const name of CARRIED) {
    const value = given.get(name);
    if (value) carried.set(name, value);
  }
  return `${baseUrl}/?${carried.toString()}`;
}

/**
 * Counts a webhook that anybody can have sent, before it is recorded. Where that is one too many, the order that
 * it names is still asked about, as often as hints allow.
 * @throws LangoError RATE_LIMITED
 */
function limitUnproven(
  { limits, settler }: Context,
  event: WebhookEvent | null,
  order: Payment | null,
  address: string,
): void {
  try {
    limits.unprovenWebhooks.take(address);
    if (order !== null) limits.unprovenWebhooksOfOrder.take(order.orderReference);
  } catch (error) {
    if (order !== null && event?.authenticity === 'unsigned') void settler.settle(order, 'hint');
    throw error;
  }
}

/** Records the webhook, answers 200 once it is on disk, and asks the provider what is true. */
async function receiveWebhook(
  context: Context,
  request: Parameters<Context['provider']['parseWebhook']>[0],
  clientIp: string,
): Promise<ReplyOf<typeof contract.receiveWebhook>> {
  const { provider, commit, reads, settler } = context;
  const event = parsedOrNull(provider, request);
  const order = orderOf(reads, provider.name, event);
  if (order === null || !isSigned(event)) limitUnproven(context, event, order, clientIp);
  const rawBody = request.rawBody.toString('utf8');
  const { outcome, payment } = await commit('recordWebhook', { event, rawBody, ip: clientIp });
  if (event === null || outcome === 'refused') {
    throw new LangoError('VALIDATION', 'This is not a valid payment notification.', {
      details: { body: ['This is not a valid payment notification.'] },
    });
  }
  if (payment !== null) {
    // The reply does not wait for the provider: it wants its answer now, and is about to be asked itself.
    void settler.settle(payment, event.authenticity === 'signed' ? 'signed_webhook' : 'hint');
  }
  return event.reply ?? { success: true, message: 'Received.' };
}

function parsedOrNull(
  provider: Context['provider'],
  request: Parameters<typeof provider.parseWebhook>[0],
): WebhookEvent | null {
  try {
    return provider.parseWebhook(request);
  } catch (error) {
    if (error instanceof LangoError) return null;
    throw error;
  }
}
