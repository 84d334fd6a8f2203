/** The routers of the site at work: what each is asked through, and what is asked of all of them. */
import type { HostTable } from './host-table.ts';
import type { Mac } from './mac.ts';
import type { HotspotPort, RouterSettings } from './ports.ts';
import type { Presence } from './presence.ts';
import type { RouterProvisioner } from './provisioning.ts';
import type { Router } from './routers.ts';

/** A router, and what is known of it. */
export interface SiteRouter extends Router {
  /** With the password, to be completed and tried; null: not configured. */
  readonly settings: RouterSettings | null;
  readonly port: HotspotPort;
  readonly hostTable: HostTable;
  /** Who is online there. */
  readonly presence: Presence;
  readonly provisioner: RouterProvisioner;
}

export interface Site {
  /** The default one first. */
  readonly routers: readonly SiteRouter[];
  readonly defaultRouter: SiteRouter;
  /** @param id undefined: of the default one @throws LangoError NOT_FOUND */
  router(id: number | undefined): SiteRouter;
  /** The router that an address is of, its own or the one that its API answers from; null: it is no router's. */
  routerAt(address: string): SiteRouter | null;
  /** Puts to work what the books say of routers by now. */
  refresh(): void;

  /** The router that a device is at; null: nobody knows. */
  routerOf(mac: Mac): SiteRouter | null;
  /** A device has sent a request from an address that this router alone knows. */
  hear(router: SiteRouter, mac: Mac): void;

  /** MACs with a session on any router, at the last read. */
  onlineMacs(): readonly Mac[];
  readonly onlineCount: number;
  /** Whether a device has a session on the router that it is at. */
  isOnline(mac: Mac): boolean;
  /** Whether there is a router to ask; whether one of them answers. */
  readonly isConfigured: boolean;
  readonly isConnected: boolean;
}
