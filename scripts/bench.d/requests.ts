/** The requests that suites send. */
import { createHmac } from 'node:crypto';
import { codeOf, macOf, phoneOf } from './books.ts';
import { requestBytes } from './load.ts';
import { ADMIN_TOKEN } from './server.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
export const ADMIN = { Authorization: `Bearer ${ADMIN_TOKEN}`, ...JSON_TYPE };

export const WEBHOOK_SECRET = 'a-secret-for-measuring';
/** Notifications can be signed from outside then. */
export const SIGNED = { LANGO_PAYMENT_PROVIDER: 'sandbox', LANGO_PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET };
/** What is limited per address comes from more addresses than the limits remember. */
export const from = (n: number) => ({ 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` });

export const askToBeOnline = (n: number): Buffer =>
  requestBytes(
    'POST',
    '/api/router/auth/',
    `username=${phoneOf(n)}&password=&mac=${encodeURIComponent(macOf(n))}&ip=10.5.50.9`,
    FORM,
  );

/** The n-th requests of many, made once: 90 % of those who ask have paid. */
export function logins(users: number, active: number, count = 20_000): (n: number) => Buffer {
  const who = (n: number) =>
    n % 10 === 0 && users > active ? active + ((n * 7_919) % (users - active)) : (n * 7_919) % active;
  const all = Array.from({ length: count }, (_, n) => askToBeOnline(who(n)));
  return n => all[n % count] as Buffer;
}

/** Signed, well formed, of an order that is not ours, and each from an address of its own: recorded and answered 200. */
export function webhooks(count = 50_000): (n: number) => Buffer {
  const all = Array.from({ length: count }, (_, n) => {
    const body = JSON.stringify({
      event_id: `event-${n}`,
      order_reference: `Z${String(n).padStart(19, '0')}`,
      payment_reference: `P${n}`,
      payment_status: 'COMPLETED',
      amount: 1_000,
      currency: 'TZS',
      phone_number: phoneOf(n),
    });
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
    const headers = { ...JSON_TYPE, ...from(n), 'X-Payment-Signature': signature };
    return requestBytes('POST', '/api/payment-webhook/', body, headers);
  });
  return n => all[n % count] as Buffer;
}

/** A voucher each, by people that the books know. */
export function redemptions(vouchers: number, users: number): (n: number) => Buffer {
  let next = 0;
  return () => {
    const n = next;
    next += 1;
    if (n >= vouchers) throw new Error('The vouchers are used up; make more.');
    const body = JSON.stringify({ voucher_code: codeOf(n), phone_number: `+${phoneOf((n * 7_919) % users)}` });
    return requestBytes('POST', '/api/vouchers/redeem/', body, { ...JSON_TYPE, ...from(n) });
  };
}
