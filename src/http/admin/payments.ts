/** Payments: found, looked into, asked about again, given back. See docs/interface.md: Payments and refunds. */
import * as v from 'valibot';
import { LangoError } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money.ts';
import { PAYMENT_STATUSES, type Payment, type PaymentFilter, requirePayment } from '../../domain/payments.ts';
import { phoneSearch } from '../../domain/phone.ts';
import { type Refund, refundable } from '../../domain/refunds.ts';
import type { Context } from '../context.ts';
import { hasRole } from '../credentials.ts';
import { amount, boolText, fields, idText, optional, pageSizeText, pageText, phonePart, text } from '../fields.ts';
import { filterBy, filterByDay, filterByWord } from '../filters.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { sellerOf } from '../views/numbers.ts';
import { paymentView, refundView, summaryView } from '../views/payments.ts';
import { grantView } from '../views/users.ts';
import { webhookLogView } from '../views/webhook-logs.ts';

/** The filter of the list and of its export. */
export const paymentFilterFields = (country: string, zone: string) => ({
  status: filterByWord(PAYMENT_STATUSES),
  phone_number: filterBy(phonePart(country)),
  date_from: filterByDay(zone),
  date_to: filterByDay(zone),
  bundle_id: filterBy(idText()),
  user_id: filterBy(idText()),
  method: filterByWord(['online', 'cash']),
  review: filterBy(boolText()),
  search: optional(
    v.pipe(
      text(100),
      v.transform(value => ({ text: value, phone: isNumberLike(value) ? phoneSearch(value, country) : null })),
    ),
  ),
});

/** References have letters; what has none may be a part of a phone number. */
const isNumberLike = (value: string): boolean => value.length <= 40 && !/\p{L}/u.test(value);

type PaymentQuery = v.InferOutput<v.ObjectSchema<ReturnType<typeof paymentFilterFields>, undefined>>;

export const paymentFilterOf = (query: PaymentQuery): PaymentFilter => ({
  status: query.status,
  bundleId: query.bundle_id,
  userId: query.user_id,
  method: query.method,
  from: query.date_from,
  to: query.date_to,
  phone: query.phone_number,
  search: query.search,
  inReview: query.review,
});

/** Characters of a number or reference: with fewer, a cashier's search would list everybody. */
const NAMING_LENGTH = 6;

/** True: looks up one person or payment. What a cashier lists otherwise is what they sold. */
function namesSomebody({ userId, phone, search }: PaymentFilter): boolean {
  const digits = phone === undefined ? '' : 'is' in phone ? phone.is : phone.contains;
  return userId !== undefined || digits.length >= NAMING_LENGTH || (search?.text ?? '').length >= NAMING_LENGTH;
}

export function adminPaymentRoutes(api: Api, context: Context): void {
  const { reads, commit, settler, refunder, policy, defaultCountry } = context;
  const OnePayment = fields({ payment_id: idText() });
  const List = fields({
    page: pageText(),
    page_size: pageSizeText(),
    ...paymentFilterFields(defaultCountry, policy.timeZone),
  });
  const Refunding = fields({ reason: text(200), amount: optional(amount(policy.currency)) });
  const view = (payment: Payment) => paymentView(payment, reads.refunds.refundedMinor(payment.id));

  api.get(
    ['/admin/payments/', '/payments/'],
    route({ auth: 'cashier', query: List }, ({ query, caller }) => {
      const asked = paymentFilterOf(query);
      const seller = sellerOf(caller);
      const filter = namesSomebody(asked) ? asked : { ...asked, soldInShiftsOf: seller };
      const { page, page_size: pageSize } = query;
      const payments = reads.payments.page(filter, { limit: pageSize, offset: (page - 1) * pageSize });
      const summary = reads.payments.summary(filter);
      const total = PAYMENT_STATUSES.reduce((sum, status) => sum + summary[status].orders, 0);
      const told = seller === undefined ? summary : reads.payments.summary({ ...asked, soldInShiftsOf: seller });
      return json(200, {
        success: true,
        payments: payments.map(view),
        pagination: paginationView({ page, pageSize, total }),
        summary: summaryView(told, policy.currency),
      });
    }),
  );

  api.get(
    ['/admin/payments/:payment_id/', '/payments/:payment_id/'],
    route({ auth: 'cashier', params: OnePayment }, ({ params, caller }) => {
      const payment = requirePayment(reads, params.payment_id);
      const refunds = reads.refunds.ofPayment(payment.id);
      const grant = reads.grants.ofSource('payment', payment.id);
      // What providers send may hold more of a person than a cashier needs; `/webhook-logs/` is for staff as well.
      const logs = hasRole(caller, 'staff') ? reads.webhookLogs.ofOrder(payment.orderReference) : [];
      return json(200, {
        success: true,
        payment: {
          ...view(payment),
          mac_address: payment.mac,
          shift_id: payment.shiftId,
          expires_at: payment.expiresAt,
          refundable_amount: formatAmount(refundableOf(payment, refunds)),
          refunds: refunds.map(refundView),
          webhook_logs: logs.map(webhookLogView),
          grant: grant === null ? null : grantView(grant),
          checks: { count: payment.checks, next_at: payment.nextCheckAt },
        },
      });
    }),
  );

  api.post(
    '/admin/payments/:payment_id/recheck/',
    route({ auth: 'staff', params: OnePayment }, async ({ params, actor }) => {
      const payment = requirePayment(reads, params.payment_id);
      if (payment.method === 'cash') {
        throw new LangoError('CONFLICT', 'This was a cash sale: there is no provider to ask about it.');
      }
      const { payment: current, granted, answered } = await settler.settle(payment, 'staff');
      const entry = { action: 'payment.recheck', subject: 'payment', subjectId: payment.id, details: { granted } };
      await commit('noteAction', entry, actor);
      if (!answered) {
        const message = 'The payment provider could not be asked. Please try again in a minute.';
        throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', message);
      }
      const message = granted
        ? 'The payment is complete, and the time was granted.'
        : `The provider was asked: the payment is ${current.status}.`;
      return json(200, { success: true, message, payment: view(current), granted });
    }),
  );

  api.post(
    '/admin/payments/:payment_id/review/',
    route({ auth: 'staff', params: OnePayment, body: fields({ note: text(500) }) }, async ({ params, body, actor }) => {
      const input = { paymentId: params.payment_id, note: body.note };
      const payment = await commit('clearReview', input, actor);
      return json(200, { success: true, message: 'The payment is marked as looked at.', payment: view(payment) });
    }),
  );

  api.post(
    '/admin/payments/:payment_id/refund/',
    route({ auth: 'owner', params: OnePayment, body: Refunding }, async ({ params, body, actor }) => {
      const request = { paymentId: params.payment_id, amount: body.amount ?? null, reason: body.reason };
      const { refund, payment } = await refunder.refund(request, actor);
      if (refund.status === 'failed') {
        throw new LangoError(
          'PAYMENT_FAILED',
          `The provider refused the refund: ${refund.message ?? 'no reason given'}`,
        );
      }
      const message = REFUND_MESSAGES[refund.status] + (refund.message === null ? '' : ` ${refund.message}`);
      return json(200, { success: true, message, refund: refundView(refund), payment: view(payment) });
    }),
  );
}

const REFUND_MESSAGES = {
  completed: 'The money was given back.',
  pending: 'The refund is under way; it is followed until it is done.',
  manual: 'The refund is in the books.',
};

/** Only what was paid can be given back. */
function refundableOf(payment: Payment, refunds: readonly Refund[]) {
  return payment.status === 'completed' ? refundable(payment, refunds) : { ...payment.amount, minor: 0 };
}
