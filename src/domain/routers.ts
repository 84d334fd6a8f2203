/**
 * The routers of the site. The default one is what the configuration says until staff change it, and is always in the
 * list, perhaps without settings; the others are kept in the books.
 */
import { type Edit, edited } from './edits.ts';
import { found, LangoError, refuseField } from './errors.ts';
import type { RouterSettings } from './ports.ts';
import type { SettingReads } from './settings.ts';
import type { StaffTx } from './transaction.ts';

export const DEFAULT_ROUTER = 1;

export interface Router {
  id: number;
  /** As staff call it; no other router is called so. */
  name: string;
  /** Null: not configured, which only the default one may be. */
  settings: RouterSettings | null;
}

/** One besides the default. */
export interface KeptRouter extends Router {
  settings: RouterSettings;
}

export interface RouterReads {
  /** Those besides the default, the oldest first. */
  list(): KeptRouter[];
}

export interface RouterWrites extends RouterReads {
  add(router: Omit<KeptRouter, 'id'>): KeptRouter;
  update(id: number, router: Omit<KeptRouter, 'id'>): boolean;
  remove(id: number): number;
}

interface Kept {
  settings: SettingReads;
  routers: RouterReads;
}

const USUAL_NAME = 'Main router';

/**
 * @param kept null: there are no books yet
 * @param configured the default router's settings by the environment; what staff have set counts before them
 */
export function routersOf(kept: Kept | null, configured: RouterSettings | null): Router[] {
  const standard = {
    id: DEFAULT_ROUTER,
    name: kept?.settings.get('routerName') ?? USUAL_NAME,
    settings: kept?.settings.get('router') ?? configured,
  };
  return [standard, ...(kept?.routers.list() ?? [])];
}

interface AddRouter {
  name: string;
  settings: RouterSettings;
  /** The default router's, by the environment. */
  configured: RouterSettings | null;
}

/** @throws LangoError CONFLICT the list has that name, or that address and port */
export function addRouter(tx: StaffTx, { name, settings, configured }: AddRouter): KeptRouter {
  requireUnused({ name, settings }, routersOf(tx, configured));
  const router = tx.routers.add({ name, settings });
  tx.record('router.add', 'router', router.id, null, shown(router));
  return router;
}

interface ChangeRouter extends Pick<AddRouter, 'configured'> {
  id: number;
  change: Edit<{ name: string; settings: RouterSettings }>;
}

/**
 * What is left out stays.
 * @throws LangoError NOT_FOUND
 * @throws LangoError CONFLICT another router of the list has that name, or that address and port
 */
export function changeRouter(tx: StaffTx, { id, change, configured }: ChangeRouter): Router {
  const all = routersOf(tx, configured);
  const before = routerIn(all, id);
  const after = edited(before, change);
  requireUnused(
    after,
    all.filter(other => other.id !== id),
  );
  if (id === DEFAULT_ROUTER) {
    if (change.name !== undefined) tx.settings.set('routerName', change.name, tx.now);
    if (change.settings !== undefined) tx.settings.set('router', change.settings, tx.now);
  } else tx.routers.update(id, after as KeptRouter);
  tx.record('router.configure', 'router', id, shown(before), shown(after));
  return after;
}

/**
 * @throws LangoError NOT_FOUND
 * @throws LangoError CONFLICT the default router stays
 */
export function removeRouter(tx: StaffTx, { id }: { id: number }): void {
  if (id === DEFAULT_ROUTER) {
    throw new LangoError(
      'CONFLICT',
      'The default router stays in the list. Change its address, or remove another one.',
    );
  }
  const before = routerIn(tx.routers.list(), id);
  tx.routers.remove(id);
  tx.record('router.remove', 'router', id, shown(before));
}

/** @throws LangoError NOT_FOUND */
export function routerIn<Item extends { readonly id: number }>(routers: readonly Item[], id: number): Item {
  return found(routers.find(router => router.id === id) ?? null, 'router');
}

/** Two entries for one router would give and take the same rows. */
function requireUnused({ name, settings }: Omit<Router, 'id'>, others: readonly Router[]): void {
  if (others.some(other => other.name.toLowerCase() === name.toLowerCase()))
    refuseField('CONFLICT', 'name', 'Another router has this name.');
  const isSame = (other: Router) => other.settings?.host === settings?.host && other.settings?.port === settings?.port;
  if (settings !== null && others.some(isSame))
    refuseField('CONFLICT', 'router_ip', 'The router at this address and port is in the list already.');
}

/** For the audit log: without the password. */
const shown = ({ name, settings }: Router) => ({ name, ...settings, password: undefined });
