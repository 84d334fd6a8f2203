/** Where phones are, as the router's host table has them: online, at the gate, or away. */
import { hasAccess } from '../domain/access.ts';
import { ROUTER_TIMEOUT_MS, withDeadline } from '../domain/deadline.ts';
import type { KnownPhone } from '../domain/diagnosis.ts';
import type { Mac } from '../domain/mac.ts';
import type { RouterHost } from '../domain/ports.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';

export interface Gate {
  /** False: the router did not answer in time. */
  readonly isKnown: boolean;
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

/** Never throws. */
export async function readGate(context: Context): Promise<Gate> {
  const { reads, clock, router, presence, hostTable } = context;
  const now = clock.now();
  const ask = <Answer>(answer: Promise<Answer>) => withDeadline(answer, ROUTER_TIMEOUT_MS, () => null);
  const isThere = router.state === 'connected';
  const joined = isThere ? await ask(hostTable.devices()) : null;
  // Where Lango looks after every hotspot of the router, there is nowhere else.
  const everywhere = joined !== null && router.settings?.hotspot != null ? await ask(hostTable.everywhere()) : null;
  const isOnline = (host: RouterHost) => host.authorized || host.bypassed || presence.isOnline(host.mac);
  const waiting = [...(joined?.values() ?? [])]
    .filter(host => !isOnline(host))
    .toSorted((a, b) => a.uptimeSeconds - b.uptimeSeconds);

  function holderOf(mac: Mac): User | null {
    const device = reads.devices.byMac(mac);
    const user = device === null ? null : reads.users.byId(device.userId);
    return user !== null && hasAccess(user, now) ? user : null;
  }

  return {
    isKnown: joined !== null,
    waiting,
    strangers: waiting
      .filter(({ mac }) => holderOf(mac) === null)
      .slice(0, MOST_STRANGERS)
      .map(({ mac }) => mac),
    holderOf,
    whereIs(mac) {
      const host = joined?.get(mac);
      if (host === undefined) {
        return presence.isOnline(mac) ? 'online' : everywhere?.has(mac) ? 'elsewhere' : 'away';
      }
      return isOnline(host) ? 'online' : 'gate';
    },
  };
}
