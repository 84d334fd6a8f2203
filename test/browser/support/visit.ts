/** A phone on the Wi-Fi of the appliance itself, with a simulated router behind it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startApp, type TestApp } from '../../support/app.ts';
import { PHONE } from './appliance.ts';
import { type Phone, type PhoneOptions, takePhone } from './phone.ts';

export const ASHA = '+255712345678';
export const OTHER = { mac: 'B0:11:22:33:44:66', address: '10.5.50.12' };
/** Where the router shows the phone. */
export const AT = '10.5.50.11';
export const BY_MAC = `mac=${encodeURIComponent(PHONE)}`;

export interface Visit extends Phone {
  app: TestApp;
  open(query: string): Promise<void>;
}

export interface Arrangement extends PhoneOptions {
  /** Where the phone asks from. */
  from?: string;
  joined?: boolean;
}

/** The appliance sells a day; its clock begins now, for the page counts down by the clock of its replies. */
export async function arrive(t: TestContext, arrangement: Arrangement = {}): Promise<Visit> {
  const { from = AT, joined = true, ...options } = arrangement;
  const now = new Date().toISOString();
  const app = await startApp(t, { now, router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  await app.createBundle({ name: 'Day', hours: 24 });
  if (joined) app.router.join({ mac: PHONE, address: AT });
  app.router.join(OTHER);
  await app.schedule.run('reconcile router');
  const phone = await takePhone(t, [app.url], { slowdown: 1, ...options });
  await phone.page.setExtraHTTPHeaders({ 'x-forwarded-for': from });
  const open = async (query: string) => {
    await phone.page.goto(`${app.url}/?${query}`);
    await phone.page.locator('html:not(.resume)').waitFor();
  };
  return { ...phone, app, open };
}

/** @returns the code that was used on that phone */
export async function redeemOn(app: TestApp, mac: string, address: string, phone = ASHA): Promise<string> {
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  const body = { voucher_code: code, phone_number: phone, mac_address: mac };
  const reply = await app.post('/api/vouchers/redeem/', body, { 'x-forwarded-for': address });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return code;
}

export const hasSession = (app: TestApp, mac = PHONE) => app.router.activeSessions().some(one => one.mac === mac);
