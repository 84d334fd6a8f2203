/** Payments: found, looked into, asked about again, given back. See docs/interface.md: Payments and refunds. */
import type * as v from 'valibot';
import * as contract from '../../contract/payments.ts';
import { LangoError } from '../../domain/errors.ts';
import { PAYMENT_STATUSES, type Payment, type PaymentFilter, requirePayment } from '../../domain/payments.ts';
import { textSearch } from '../../domain/phone.ts';
import type { Context } from '../context.ts';
import { hasRole } from '../credentials.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { sellerOf } from '../views/numbers.ts';
import { paymentDetailView, paymentView, refundView, summaryView } from '../views/payments.ts';
import { NAMING_LENGTH } from './desk-subjects.ts';

export const paymentFilterOf = (
  { search, ...query }: v.InferOutput<typeof contract.PaymentFilter>,
  country: string,
): PaymentFilter => ({
  status: query.status,
  bundleId: query.bundle_id,
  userId: query.user_id,
  method: query.method,
  from: query.date_from,
  to: query.date_to,
  phone: query.phone_number,
  search: search === undefined ? search : textSearch(search, country),
  inReview: query.review,
});

/** True: looks up one person or payment. What a cashier lists otherwise is what they sold. */
function namesSomebody({ userId, phone, search }: PaymentFilter): boolean {
  const digits = phone === undefined ? '' : 'is' in phone ? phone.is : phone.contains;
  return userId !== undefined || digits.length >= NAMING_LENGTH || (search?.text ?? '').length >= NAMING_LENGTH;
}

export function adminPaymentRoutes(api: Api, context: Context): void {
  const { reads, commit, settler, refunder, policy, defaultCountry } = context;
  const view = (payment: Payment) => paymentView(payment, reads.refunds.refundedMinor(payment.id));

  api.handle(contract.listPayments, ({ query, caller }) => {
    const asked = paymentFilterOf(query, defaultCountry);
    const seller = sellerOf(caller);
    const filter = namesSomebody(asked) ? asked : { ...asked, soldInShiftsOf: seller };
    const summary = reads.payments.summary(filter);
    const total = PAYMENT_STATUSES.reduce((sum, status) => sum + summary[status].orders, 0);
    const shown = seller === undefined ? summary : reads.payments.summary({ ...asked, soldInClosedShiftsOf: seller });
    return {
      success: true,
      payments: reads.payments.page(filter, rowsOf(query)).map(view),
      pagination: paginationOf(query, total),
      summary: summaryView(shown, policy.currency),
    };
  });

  api.handle(contract.showPayment, ({ params, caller, actor }) => {
    const payment = requirePayment(reads, params.payment_id);
    // What providers send may hold more of a person than a cashier needs; `/webhook-logs/` is for staff as well.
    const logs = hasRole(caller, 'staff') ? reads.webhookLogs.ofOrder(payment.orderReference) : [];
    return { success: true, payment: paymentDetailView(payment, reads, { logs, adminId: actor.adminId }) };
  });

  api.handle(contract.recheckPayment, async ({ params, actor }) => {
    const payment = requirePayment(reads, params.payment_id);
    if (payment.method === 'cash') {
      throw new LangoError('CONFLICT', 'This was a cash sale: there is no provider to ask about it.');
    }
    const { payment: current, granted, answered } = await settler.settle(payment, 'staff');
    const entry = { action: 'payment.recheck', subject: 'payment', subjectId: payment.id, details: { granted } };
    await commit('recordAction', entry, actor);
    if (!answered) {
      const message = 'The payment provider could not be asked. Please try again in a minute.';
      throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', message);
    }
    const message = granted
      ? 'The payment is complete, and the time was granted.'
      : `The provider was asked: the payment is ${current.status}.`;
    return { success: true, message, payment: view(current), granted };
  });

  api.handle(contract.reviewPayment, async ({ params, body, actor }) => {
    const payment = await commit('clearReview', { paymentId: params.payment_id, note: body.note }, actor);
    return { success: true, message: 'The payment is marked as looked at.', payment: view(payment) };
  });

  api.handle(contract.refundPayment, async ({ params, body, actor }) => {
    const { reason, amount = null, from_drawer: fromDrawer } = body;
    const request = { paymentId: params.payment_id, amount, reason, fromDrawer };
    const { refund, payment } = await refunder.refund(request, actor);
    if (refund.status === 'failed') {
      throw new LangoError('PAYMENT_FAILED', `The provider refused the refund: ${refund.message ?? 'no reason given'}`);
    }
    const message = REFUND_MESSAGES[refund.status] + (refund.message === null ? '' : ` ${refund.message}`);
    return { success: true, message, refund: refundView(refund), payment: view(payment) };
  });
}

const REFUND_MESSAGES = {
  completed: 'The money was given back.',
  pending: 'The refund is under way; it is followed until it is done.',
  manual: 'The refund is in the books.',
};
