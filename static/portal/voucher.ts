/** A voucher instead of money; a printed QR code brings its code in the address. See docs/rules.md: Vouchers. */
import type { Redeemed } from '../../src/contract/vouchers.ts';
import { read, remember } from './address.ts';
import { call } from './api.ts';
import { type ConnectResult, connectPaid, thisPhone } from './connect.ts';
import { checkPhone, mark, notify, onSubmit, setValue, valueOf } from './form.ts';
import { byId } from './page.ts';
import { explain, text } from './words.ts';

const VOUCHER_LENGTH = 12;

export function setUpVoucher(found: (result: ConnectResult) => void): void {
  const printed = read('code');
  if (printed !== null) {
    setValue('voucher-code', printed);
    // Whoever holds a voucher already has what the prices would sell.
    document.body.classList.add('has-code');
    byId('buy').insertBefore(byId('voucher-form'), byId('pay-form'));
  }
  const check = () => {
    const code = valueOf('voucher-code').replace(/[^0-9a-z]/gi, '').length === VOUCHER_LENGTH;
    mark('voucher-code', code ? null : text.needCode);
    notify('voucher-notice', null);
    const phone = checkPhone('voucher-phone');
    return code ? (phone ? null : 'voucher-phone') : 'voucher-code';
  };
  const redeem = async () => {
    const phone = valueOf('voucher-phone');
    const code = valueOf('voucher-code');
    const reply = await call<Redeemed>('vouchers/redeem/', {
      phone_number: phone,
      voucher_code: code,
      ...thisPhone(),
      language: document.documentElement.lang,
    });
    if (reply.ok) {
      // Spent: it must not be offered again when the person comes back for more.
      remember({ code: null, phone });
      setValue('voucher-code', '');
      return found(await connectPaid(phone, code, reply.body.subscription_end));
    }
    if (reply.problem.fields.indexOf('phone_number') >= 0) return mark('voucher-phone', text.needPhone);
    if (reply.problem.fields.indexOf('voucher_code') >= 0) return mark('voucher-code', text.needCode);
    notify('voucher-notice', explain(reply.problem));
  };
  onSubmit('voucher-form', check, redeem, text.checking);
}
