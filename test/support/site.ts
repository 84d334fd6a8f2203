/** A site with several routers: simulated ones, and what their people do. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { startApp, type TestApp } from './app.ts';

export interface TestSite {
  app: TestApp;
  /** The default one first. */
  routers: readonly RouterSimulator[];
  /** A pass over everything on every router. */
  pass(): Promise<void>;
}

export const ASHA = '+255712345678';
export const MAC = 'A4:83:E7:12:34:56';
/** Where her phone is at each router. */
export const ADDRESSES = ['10.5.50.11', '10.6.0.11', '10.7.0.11'] as const;
const MINUTE = 60_000;

const PASSWORD = 'a secret of the garden';
/** Routers that answer from addresses of their own. */
const hostOf = (place: number) => `127.0.0.${place + 2}`;

/** Requests come from the address that `from` names. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

/** @param options of each router in turn */
export async function startSite(t: TestContext, options: readonly RouterSimulatorOptions[]): Promise<TestSite> {
  const [standard, ...others] = options;
  const app = await startApp(t, {
    router: { host: hostOf(0), ...standard },
    environment: { LANGO_ROUTER_HOST: hostOf(0), LANGO_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const routers = [app.router];
  for (const [place, knobs] of others.entries()) {
    const host = hostOf(place + 1);
    const account = { username: 'lango', password: PASSWORD };
    const router = await startRouterSimulator({ ...account, host, clock: app.clock.elsewhere, ...knobs });
    t.after(() => router.stop());
    const entry = { ...account, name: `Router ${place + 2}`, router_ip: host, api_port: router.port };
    const { status, body } = await app.post('/api/admin/routers/', entry, app.admin);
    assert.equal(status, 201, JSON.stringify(body));
    routers.push(router);
  }
  const jobs = () => app.schedule.report().filter(({ name }) => name.startsWith('reconcile router'));
  const pass = async () => void (await Promise.all(jobs().map(({ name }) => app.schedule.run(name))));
  // The first one connects, upon which another one follows.
  await pass();
  await pass();
  return { app, routers, pass };
}

/** Who has a session, and on which of the routers. */
export const onlineAt = ({ routers }: TestSite) =>
  routers.flatMap((router, place) => router.activeSessions().map(({ mac }) => `${place}: ${mac}`));

/** She is on the Wi-Fi of the default router, and has paid. */
export async function online(site: TestSite, hours = 24): Promise<void> {
  const { app, routers } = site;
  const [code] = await app.issueVouchers({ hours });
  routers[0]!.join({ mac: MAC, address: ADDRESSES[0] });
  const voucher = { voucher_code: code, phone_number: ASHA, mac_address: MAC };
  assert.equal((await app.post('/api/vouchers/redeem/', voucher, from(ADDRESSES[0]))).status, 200);
  assert.deepEqual(onlineAt(site), [`0: ${MAC}`]);
  await site.pass();
}

/** Out of reach of one, where her row stays for a while, and on the Wi-Fi of another. */
export function walk({ app, routers }: TestSite, left: number, joined: number): void {
  app.clock.advance(2 * MINUTE);
  routers[left]!.leave(MAC, 'in time');
  app.clock.advance(6_000);
  routers[joined]!.join({ mac: MAC, address: ADDRESSES[joined]! });
  app.clock.advance(1_000);
}

/** She asks for her status at one of the routers. */
export const verify = ({ app }: TestSite, place: number) =>
  app.post('/api/verify/', { phone_number: ASHA, mac_address: MAC }, from(ADDRESSES[place]!));
