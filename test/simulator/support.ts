import type { TestContext } from 'node:test';
import { freePort } from '../support/ports.ts';
import { RawApiClient } from './raw-api-client.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from './router.ts';

export const ASHA = 'A4:00:00:00:00:01';
export const JUMA = 'A4:00:00:00:00:02';
export const NOON = Date.parse('2026-11-21T12:00:00.000Z');
export const HOUR = 3_600_000;

/** A hotspot that lets a device in by the cookie that the router keeps of it. */
export const MAC_COOKIES = { loginBy: 'cookie,http-chap,mac-cookie' };

/** What Asha types into the router's own page. */
export const asha = { user: 'asha', password: 'p', mac: ASHA };

/** A router on a manual clock at noon, with a client that is logged in; both gone after the test. */
export async function start(
  t: TestContext,
  options: RouterSimulatorOptions = {},
): Promise<{ router: RouterSimulator; client: RawApiClient }> {
  const router = await startRouter(t, options);
  return { router, client: await login(t, router) };
}

export async function startRouter(t: TestContext, options: RouterSimulatorOptions = {}): Promise<RouterSimulator> {
  const router = await startRouterSimulator({ port: await freePort(), clock: 'manual', startAt: NOON, ...options });
  t.after(() => router.stop());
  return router;
}

export async function login(t: TestContext, router: RouterSimulator): Promise<RawApiClient> {
  const client = await RawApiClient.loggedIn(router.port);
  t.after(() => client.close());
  return client;
}

export async function connect(t: TestContext, router: RouterSimulator): Promise<RawApiClient> {
  const client = await RawApiClient.open(router.port);
  t.after(() => client.close());
  return client;
}

export function addUser(router: RouterSimulator, values: Record<string, string> = {}): void {
  router.run('/ip/hotspot/user/add', { name: asha.user, password: asha.password, ...values });
}
