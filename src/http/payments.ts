/** Paying: start an order, follow it, and hear from the provider. See docs/rules.md: Payments. */
import { mayName } from '../domain/asker.ts';
import { LangoError } from '../domain/errors.ts';
import { formatAmount } from '../domain/money.ts';
import { isOrderReference } from '../domain/orders.ts';
import type { Payment } from '../domain/payments.ts';
import type { Checkout, Notice } from '../domain/ports.ts';
import { isSigned, orderOf } from '../domain/webhook-logs.ts';
import { askProvider } from './ask-provider.ts';
import type { Context } from './context.ts';
import { fields, id, ip, language, mac, optional, phone, text } from './fields.ts';
import { askerOf } from './own-device.ts';
import { networkOf } from './rate-limits.ts';
import { json, type Reply } from './reply.ts';
import { type Api, route } from './route.ts';
import { paymentStatusView } from './views/payments.ts';

const LARGEST_NOTICE = 64 * 1_024;

export function paymentRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits, defaultCountry } = context;
  const Order = fields({
    phone_number: phone(defaultCountry),
    bundle_id: id(),
    mac_address: optional(mac()),
    ip_address: optional(ip()),
    return_query: optional(text(2_000)),
    language: optional(language()),
  });

  api.post(
    '/initiate-payment/',
    route(
      {
        auth: 'none',
        body: Order,
        errors: 'payment',
        limit: limits.initiatePayment,
      },
      async ({ body, clientIp }) => {
        const device = body.mac_address;
        const isOwn = device !== undefined && mayName(await askerOf(context, clientIp), device);
        const order = await commit('openOrder', {
          phone: body.phone_number,
          bundleId: body.bundle_id,
          language: body.language ?? null,
          mac: isOwn ? device : null,
          ip: isOwn ? (body.ip_address ?? null) : null,
          madeFrom: networkOf(clientIp),
        });
        const payment = await checkOut(context, order, body.return_query ?? '');
        return json(200, {
          success: true,
          payment_reference: payment.paymentReference ?? payment.orderReference,
          order_reference: payment.orderReference,
          amount: formatAmount(payment.amount),
          phone_number: payment.phone,
          redirect_url: payment.redirectUrl,
          message: 'Please complete the payment on the next page.',
        });
      },
    ),
  );

  api.get(
    '/payment-status/:order_reference/',
    route({ auth: 'none', params: fields({ order_reference: text(64) }) }, async ({ params, clientIp }) => {
      const reference = params.order_reference.toUpperCase();
      const payment = isOrderReference(reference) ? reads.payments.byOrderReference(reference) : null;
      if (payment === null) throw new LangoError('NOT_FOUND', 'There is no order with this reference.');
      const current = await askProvider(context, payment, clientIp);
      return json(200, paymentStatusView(current, reads.users.byId(current.userId)));
    }),
  );

  api.post(
    '/payment-webhook/',
    route({ auth: 'none', body: 'bytes', bodyLimit: LARGEST_NOTICE }, ({ body, headers, search, clientIp }) =>
      takeNotice(context, { rawBody: body, headers, query: new URLSearchParams(search), now: clock.now() }, clientIp),
    ),
  );
}

/** The order is on disk by now. An order the provider may know of stays open, and is asked about. */
async function checkOut(context: Context, order: Payment, returnQuery: string): Promise<Payment> {
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
  return commit('attachCheckout', { paymentId: order.id, ...checkout });
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
 * Counts a notification that anybody can have sent, before it is recorded. Where that is one too many, the order that
 * it names is still asked about, as often as hints allow.
 * @throws LangoError RATE_LIMITED
 */
function countUnproven(
  { limits, settler }: Context,
  notice: Notice | null,
  order: Payment | null,
  address: string,
): void {
  try {
    limits.strangeNotices.take(address);
    if (order !== null) limits.noticesOfOrder.take(order.orderReference);
  } catch (error) {
    if (order !== null && notice?.authenticity === 'unsigned') void settler.settle(order, 'hint');
    throw error;
  }
}

/** Records the notification, answers 200 once it is on disk, and asks the provider what is true. */
async function takeNotice(
  context: Context,
  request: Parameters<Context['provider']['parseWebhook']>[0],
  clientIp: string,
): Promise<Reply> {
  const { provider, commit, reads, settler } = context;
  const notice = readNotice(provider, request);
  const order = orderOf(reads, provider.name, notice);
  if (order === null || !isSigned(notice)) countUnproven(context, notice, order, clientIp);
  const rawBody = request.rawBody.toString('utf8');
  const { outcome, payment } = await commit('recordNotice', { notice, rawBody, ip: clientIp });
  if (notice === null || outcome === 'refused') {
    throw new LangoError('VALIDATION', 'This is not a valid payment notification.', {
      details: { body: ['This is not a valid payment notification.'] },
    });
  }
  if (payment !== null) {
    // The reply does not wait for the provider: it wants its answer now, and is about to be asked itself.
    void settler.settle(payment, notice.authenticity === 'signed' ? 'signed_notice' : 'hint');
  }
  return json(200, notice.reply ?? { success: true, message: 'Received.' });
}

function readNotice(
  provider: Context['provider'],
  request: Parameters<typeof provider.parseWebhook>[0],
): Notice | null {
  try {
    return provider.parseWebhook(request);
  } catch (error) {
    if (error instanceof LangoError) return null;
    throw error;
  }
}
