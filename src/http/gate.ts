/** Where phones are, as the router's host table has them: online, at the gate, or away. */
import { hasAccess } from '../domain/access.ts';
import { ROUTER_TIMEOUT_MS, withDeadline } from '../domain/deadline.ts';
import type { DeskFacts, KnownPhone } from '../domain/diagnosis.ts';
import { behindOneRow } from '../domain/host-rows.ts';
import type { Mac } from '../domain/mac.ts';
import type { RouterHost } from '../domain/ports.ts';
import type { SiteRouter } from '../domain/site.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';

export interface Gate {
  /** False: no router answered in time. */
  readonly isKnown: boolean;
  /** `disconnected`: these phones may be at a router that did not answer, which is named where there are several. */
  routerOf(macs: readonly Mac[]): Pick<DeskFacts, 'router' | 'silent'>;
  /** On the Wi-Fi and not online; who joined last comes first. */
  readonly waiting: readonly RouterHost[];
  /** Those of them that nobody holds whose time runs. */
  readonly strangers: readonly Mac[];
  whereIs(mac: Mac): KnownPhone['at'];
  /** The person with paid time who has that phone registered. */
  holderOf(mac: Mac): User | null;
}

/** Of those that one person's phone may be among. */
const MOST_STRANGERS = 20;

interface SeenPhone extends RouterHost {
  /** By that router; another one may not have heard yet that it has gone. */
  isOnline: boolean;
}

/** Who is on the Wi-Fi of a router; null: it did not answer in time. Never throws. */
async function tableOf({ port, settings, hostTable, presence }: SiteRouter) {
  const ask = <Answer>(answer: Promise<Answer>) => withDeadline(answer, ROUTER_TIMEOUT_MS, () => null);
  const devices = port.state === 'connected' ? await ask(hostTable.devices()) : null;
  if (devices === null) return null;
  // Where Lango looks after every hotspot of the router, there is nowhere else.
  const everywhere = settings?.hotspot == null ? null : await ask(hostTable.everywhere());
  const phones = [...devices.values()].map<SeenPhone>(host => ({
    ...host,
    isOnline: host.authorized || host.bypassed || presence.isOnline(host.mac),
  }));
  return { phones, everywhere: everywhere ?? new Set<Mac>() };
}

/** Never throws. */
export async function readGate(context: Context): Promise<Gate> {
  const { reads, clock, site } = context;
  const now = clock.now();
  const configured = site.routers.filter(({ settings }) => settings !== null);
  const asked = await Promise.all(configured.map(tableOf));
  const answers = asked.filter(answer => answer !== null);
  const silent = configured.find((_, index) => asked[index] === null) ?? null;
  // Of a phone that has walked from one router to another, both have a row for a while.
  const joined = behindOneRow(
    answers.flatMap(({ phones }) => phones),
    () => null,
  );
  const everywhere = new Set(answers.flatMap(answer => [...answer.everywhere]));
  const waiting = [...joined.values()]
    .filter(phone => !phone.isOnline)
    .toSorted((a, b) => a.uptimeSeconds - b.uptimeSeconds);

  function holderOf(mac: Mac): User | null {
    const device = reads.devices.byMac(mac);
    const user = device === null ? null : reads.users.byId(device.userId);
    return user !== null && hasAccess(user, now) ? user : null;
  }

  const strangers: Mac[] = [];
  for (const { mac } of waiting) {
    if (strangers.length < MOST_STRANGERS && holderOf(mac) === null) strangers.push(mac);
  }

  return {
    isKnown: answers.length > 0,
    routerOf(macs) {
      if (configured.length === 0) return { router: 'not_configured', silent: null };
      if (silent === null || macs.some(mac => joined.has(mac))) return { router: 'connected', silent: null };
      return { router: 'disconnected', silent: configured.length === 1 ? null : silent };
    },
    waiting,
    strangers,
    holderOf,
    whereIs(mac) {
      const phone = joined.get(mac);
      if (phone !== undefined) return phone.isOnline ? 'online' : 'gate';
      return site.isOnline(mac) ? 'online' : everywhere.has(mac) ? 'elsewhere' : 'away';
    },
  };
}
