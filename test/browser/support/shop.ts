/** A business that has run for a while: bundles, people, payments of every kind, vouchers. */
import type { TestContext } from 'node:test';
import { type AppOptions, startApp, type TestApp, until } from '../../support/app.ts';

const HOUR = 3_600_000;

export const PEOPLE = [
  { phone: '+255712345678', mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' },
  { phone: '+255754000111', mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' },
  { phone: '+255765222333', mac: '3C:5A:B4:0F:1E:2D', address: '10.5.50.13' },
  { phone: '+255783444555', mac: '5C:AF:06:77:88:99', address: '10.5.50.14' },
] as const;

/** Ends at `2026-11-21T10:00:00Z`. */
export async function startShop(t: TestContext, options: AppOptions = {}): Promise<TestApp> {
  const app = await startApp(t, { router: true, now: '2026-11-15T08:00:00.000Z', ...options });
  const day = await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const week = await app.createBundle({ name: 'Week', price: 7_000, hours: 168 });
  const hour = await app.createBundle({ name: 'One hour', price: 500, hours: 1 });
  for (const { mac, address } of PEOPLE) app.router.join({ mac, address });

  const buy = async (person: number, bundle: typeof day, outcome = 'completed') => {
    const { phone, mac } = PEOPLE[person] ?? PEOPLE[0];
    const { body } = await app.pay({ phone, bundle, mac, outcome });
    if (outcome !== 'completed') return;
    await until(async () => {
      const status = await app.get(`/api/payment-status/${body.order_reference}/`);
      return status.body.payment_status === 'COMPLETED';
    });
  };
  await buy(0, day);
  await buy(1, hour);
  await app.passTime(26 * HOUR);
  await buy(2, day);
  await buy(3, hour, 'failed');
  await app.passTime(49 * HOUR);
  await buy(1, day);
  await buy(0, day);
  await app.passTime(66 * HOUR);
  await buy(0, week);
  await buy(3, day, 'cancelled');
  await buy(1, hour);
  await app.passTime(3 * HOUR - 60_000);
  await app.post('/api/initiate-payment/', { phone_number: PEOPLE[3].phone, bundle_id: hour.id });

  const batch = { bundle_id: day.id, quantity: 24, expiry_days: 90 };
  const { body } = await app.post('/api/vouchers/generate/', batch, app.admin);
  await app.redeem(body.vouchers[0].code, PEOPLE[2].phone, PEOPLE[2].mac);
  await app.passTime(60_000);
  return app;
}
