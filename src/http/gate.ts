/** Where phones are, as the router's host table has them: online, at the gate, or away. */
import { hasAccess } from '../domain/access.ts';
import { ROUTER_TIMEOUT_MS, withDeadline } from '../domain/deadline.ts';
import type { KnownPhone } from '../domain/diagnosis.ts';
import type { Mac } from '../domain/mac.ts';
import type { RouterHost, RouterState } from '../domain/ports.ts';
import type { SiteRouter } from '../domain/site.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';

export interface Gate {
  /** False: no router answered in time. */
  readonly isKnown: boolean;
  /** `disconnected`: these phones may be at a router that did not answer. */
  stateFor(macs: readonly Mac[]): RouterState;
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

/** Who is on the Wi-Fi of a router; null: it did not answer in time. Never throws. */
async function tableOf({ port, settings, hostTable }: SiteRouter) {
  const ask = <Answer>(answer: Promise<Answer>) => withDeadline(answer, ROUTER_TIMEOUT_MS, () => null);
  const devices = port.state === 'connected' ? await ask(hostTable.devices()) : null;
  if (devices === null) return null;
  // Where Lango looks after every hotspot of the router, there is nowhere else.
  const everywhere = settings?.hotspot == null ? null : await ask(hostTable.everywhere());
  return { devices, everywhere: everywhere ?? new Set<Mac>() };
}

/** Never throws. */
export async function readGate(context: Context): Promise<Gate> {
  const { reads, clock, site } = context;
  const now = clock.now();
  const configured = site.routers.filter(({ settings }) => settings !== null);
  const answers = (await Promise.all(configured.map(tableOf))).filter(answer => answer !== null);
  const joined = new Map(answers.flatMap(({ devices }) => [...devices]));
  const everywhere = new Set(answers.flatMap(answer => [...answer.everywhere]));
  const isOnline = (host: RouterHost) => host.authorized || host.bypassed || site.isOnline(host.mac);
  const waiting = [...joined.values()]
    .filter(host => !isOnline(host))
    .toSorted((a, b) => a.uptimeSeconds - b.uptimeSeconds);

  function holderOf(mac: Mac): User | null {
    const device = reads.devices.byMac(mac);
    const user = device === null ? null : reads.users.byId(device.userId);
    return user !== null && hasAccess(user, now) ? user : null;
  }

  return {
    isKnown: answers.length > 0,
    stateFor(macs) {
      if (configured.length === 0) return 'not_configured';
      const isFound = answers.length > 0 && macs.some(mac => joined.has(mac));
      return isFound || answers.length === configured.length ? 'connected' : 'disconnected';
    },
    waiting,
    strangers: waiting
      .filter(({ mac }) => holderOf(mac) === null)
      .slice(0, MOST_STRANGERS)
      .map(({ mac }) => mac),
    holderOf,
    whereIs(mac) {
      const host = joined.get(mac);
      if (host === undefined) {
        return site.isOnline(mac) ? 'online' : everywhere.has(mac) ? 'elsewhere' : 'away';
      }
      return isOnline(host) ? 'online' : 'gate';
    },
  };
}
