/**
 * Which router of the site each phone is at: the one that has heard it last. A phone that walks leaves its row behind on
 * the router that it has left, where nothing is heard of it any more. Routers are read at different times, so a phone
 * stays where it was seen until it is sure that it has gone; one that two routers hear at once never goes to and fro.
 */
import { type AskedFrom, behindOneRow } from './host-rows.ts';
import type { Mac } from './mac.ts';
import type { RouterHost, RouterScope } from './ports.ts';
import type { Clock } from './time.ts';

/** What one router knows of a phone. In milliseconds of the monotonic clock. */
interface Sighting {
  /** When it joined, at the earliest: routers count whole seconds. */
  joinedAt: number;
  heardAt: number;
  /** When the router was asked. */
  readAt: number;
  /** When it last sent us a request from there. */
  askedAt: number;
}

export interface Reading {
  scope: RouterScope;
  hosts: readonly RouterHost[];
  askedFrom: AskedFrom;
  readAt: number;
}

/** By router: the devices to look for there now, because they have come, or gone, or may have. */
export type News = ReadonlyMap<number, readonly Mac[]>;

/** `unsure`: it was seen here since the router that it was at was asked. */
export type Place = 'here' | 'elsewhere' | 'unsure';

export interface Whereabouts {
  /** What a router's host table shows now. */
  see(router: number, reading: Reading): News;
  /** A device has sent a request from an address that this router alone knows; looked into every five seconds. */
  hear(router: number, mac: Mac): News;
  /** The router is off the list. */
  forget(router: number): void;
  /** The router that the device is at; null: none has seen it. */
  routerOf(mac: Mac): number | null;
  /** Where it is for that router. */
  placeFor(router: number, mac: Mac): Place;
}

/** So much later than its own router must another one have heard a phone that has gone. */
const SILENCE_MS = 5_000;
/** A phone that was silent for so long when its router was read has gone, if another one has heard it since. */
const LONG_SILENCE_MS = 30_000;
/** Anybody can send requests: those of one phone are looked into no more often. */
const BETWEEN_LOOKS_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

interface WhereaboutsOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Whether that router answers. */
  isConnected: (router: number) => boolean;
}

export function createWhereabouts({ clock, isConnected }: WhereaboutsOptions): Whereabouts {
  const tables = new Map<number, Map<Mac, Sighting>>();
  /** `askedAt`: when a request of the phone's was looked into last. */
  const places = new Map<Mac, { router: number; since: number; askedAt: number }>();

  const sightingOf = (router: number, mac: Mac) => tables.get(router)?.get(mac);

  /** Whether a phone has gone from its place to where `there` was seen. */
  function hasGone(mac: Mac, there: Sighting): boolean {
    const place = places.get(mac);
    const here = place && sightingOf(place.router, mac);
    if (place === undefined || here === undefined) return true;
    if (there.heardAt <= here.heardAt) return false;
    if (!isConnected(place.router) || there.joinedAt > place.since || there.askedAt > here.heardAt) return true;
    const isSure = here.readAt >= there.heardAt || here.readAt - here.heardAt > LONG_SILENCE_MS;
    return isSure && there.heardAt - here.heardAt > SILENCE_MS;
  }

  function placeFor(router: number, mac: Mac): Place {
    const at = places.get(mac)?.router ?? router;
    if (at === router) return 'here';
    const isUnsure = (sightingOf(router, mac)?.heardAt ?? NEVER) > (sightingOf(at, mac)?.readAt ?? NEVER);
    return isUnsure ? 'unsure' : 'elsewhere';
  }

  /** Puts a phone where it was heard last, if it has gone there. @returns the routers that have to look at it */
  function settle(mac: Mac): number[] {
    const before = places.get(mac)?.router;
    const others = [...tables].flatMap(([router, table]) => {
      const sighting = router === before ? undefined : table.get(mac);
      return sighting === undefined ? [] : [{ router, sighting }];
    });
    const [last] = others.toSorted((a, b) => b.sighting.heardAt - a.sighting.heardAt);
    if (last !== undefined && hasGone(mac, last.sighting)) {
      const now = clock.monotonic();
      places.set(mac, { router: last.router, since: now, askedAt: now });
      return before === undefined ? [last.router] : [before, last.router];
    }
    if (before === undefined) return [];
    if (sightingOf(before, mac) === undefined) places.delete(mac);
    return last !== undefined && placeFor(last.router, mac) === 'unsure' ? [before] : [];
  }

  /** @param self the router that has just been looked at; null: none */
  function newsOf(macs: Iterable<Mac>, self: number | null): News {
    const news = new Map<number, Mac[]>();
    for (const mac of macs) {
      for (const router of settle(mac)) if (router !== self) news.set(router, [...(news.get(router) ?? []), mac]);
    }
    return news;
  }

  return {
    see(router, { scope, hosts, askedFrom, readAt }) {
      const before = tables.get(router) ?? new Map<Mac, Sighting>();
      const seen = new Map<Mac, Sighting>();
      for (const [mac, row] of behindOneRow(hosts, askedFrom)) {
        if (!row.isOnNetwork) continue;
        const askedAt = before.get(mac)?.askedAt ?? NEVER;
        const heardAt = Math.max(readAt - row.idleSeconds * 1_000, askedAt);
        seen.set(mac, { joinedAt: readAt - (row.uptimeSeconds + 1) * 1_000, heardAt, readAt, askedAt });
      }
      const concerned = new Set([...(scope === 'all' ? before.keys() : scope.macs), ...seen.keys()]);
      if (scope === 'all') tables.set(router, seen);
      else {
        tables.set(router, before);
        for (const mac of scope.macs) before.delete(mac);
        for (const [mac, sighting] of seen) before.set(mac, sighting);
      }
      return newsOf(concerned, router);
    },
    hear(router, mac) {
      const now = clock.monotonic();
      const place = places.get(mac);
      if (place === undefined || place.router === router || now - place.askedAt < BETWEEN_LOOKS_MS) return new Map();
      place.askedAt = now;
      const sighting = sightingOf(router, mac);
      if (sighting === undefined) return new Map([[router, [mac]]]);
      sighting.askedAt = now;
      sighting.heardAt = now;
      return newsOf([mac], null);
    },
    forget(router) {
      tables.delete(router);
      for (const [mac, place] of places) if (place.router === router) places.delete(mac);
    },
    routerOf: mac => places.get(mac)?.router ?? null,
    placeFor,
  };
}
