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
