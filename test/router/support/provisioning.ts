/** A simulated router, and whoever sets it up. */
import type { TestContext } from 'node:test';
import type { RouterSettings } from '../../../src/domain/ports.ts';
import {
  type RouterChange,
  type RouterNeeds,
  type RouterProvisioner,
  routerNeeds,
} from '../../../src/domain/provisioning.ts';
import { createProvisioner } from '../../../src/router/provisioning/provisioner.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../../simulator/router.ts';

export const PORTAL = 'http://10.5.0.2:8080';
export const HOSTS = ['checkout.pay.example', '*.cdn.example'];

export interface House {
  router: RouterSimulator;
  provisioner: RouterProvisioner;
  settings: RouterSettings;
  needs: RouterNeeds;
}

export interface HouseOptions {
  router?: RouterSimulatorOptions;
  settings?: Partial<RouterSettings>;
  baseUrl?: string;
  openHosts?: readonly string[];
  /** For a hotspot where there is none. */
  chosen?: string;
}

export async function startHouse(t: TestContext, options: HouseOptions = {}): Promise<House> {
  const router = await startRouterSimulator({ username: 'lango', password: 'secret', ...options.router });
  t.after(() => router.stop());
  const settings = settingsOf(router.port, options.settings);
  const needs = routerNeeds(options.baseUrl ?? PORTAL, options.openHosts ?? HOSTS, settings, options.chosen);
  return { router, provisioner: createProvisioner({ settings: () => settings, needs: () => needs }), settings, needs };
}

export function settingsOf(port: number, settings: Partial<RouterSettings> = {}): RouterSettings {
  return {
    host: '127.0.0.1',
    port,
    username: 'lango',
    password: 'secret',
    ssl: false,
    sslFingerprint: null,
    hotspot: null,
    profile: 'guests',
    ...settings,
  };
}

/** Everything that is configured; what only tells how the machine is moves by itself. */
export function configuration(router: RouterSimulator): Record<string, Record<string, string>[]> {
  const menus = router
    .menus()
    .filter(menu => !/^\/(log|system\/(resource|clock|routerboard)|user\/active)$/.test(menu));
  const rows = (menu: string) => router.table(menu).map(row => ({ ...row, 'last-modified': '' }));
  return Object.fromEntries(menus.map(menu => [menu, rows(menu)]));
}

/** What was made, or refused. */
export async function carryOut(
  change: (tell: (change: RouterChange) => void) => Promise<unknown>,
): Promise<RouterChange[]> {
  const changes: RouterChange[] = [];
  await change(made => void changes.push(made));
  return changes;
}
