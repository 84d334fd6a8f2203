/** "Already paid?": a phone number or an order number leads back to what was paid. */
import type { PaymentStatus } from '../../src/contract/payments.ts';
import { remember } from './address.ts';
import { call } from './api.ts';
import { type ConnectResult, connect } from './connect.ts';
import { fillPhone, looksLikePhone, mark, notify, onSubmit, valueOf } from './form.ts';
import { explain, text } from './words.ts';

/** An order's reference: 20 upper-case letters and digits. */
const ORDER = /^[A-Z0-9]{20}$/;

export function setUpFinding(outcomes: { found(result: ConnectResult): void; order(reference: string): void }): void {
  const asOrder = (value: string) => value.replace(/[\s-]/g, '').toUpperCase();
  const check = () => {
    const value = valueOf('find-text');
    const fine = ORDER.test(asOrder(value)) || looksLikePhone(value);
    mark('find-text', fine ? null : text.needPhoneOrOrder);
    notify('find-notice', null);
    return fine ? null : 'find-text';
  };
  const find = async () => {
    const value = valueOf('find-text');
    if (ORDER.test(asOrder(value))) {
      const reply = await call<PaymentStatus>(`payment-status/${asOrder(value)}/`);
      if (reply.ok) return outcomes.order(asOrder(value));
      return notify('find-notice', reply.problem.status === 404 ? text.orderUnknown : explain(reply.problem));
    }
    const result = await connect(value);
    if (result.kind === 'unpaid') return notify('find-notice', text.nothingFound);
    if (result.kind === 'unanswered') {
      if (result.problem.fields.indexOf('phone_number') >= 0) return mark('find-text', text.needPhoneOrOrder);
      return notify('find-notice', explain(result.problem));
    }
    remember({ phone: value });
    fillPhone(value);
    outcomes.found(result);
  };
  onSubmit('find-form', check, find, text.checking);
}
