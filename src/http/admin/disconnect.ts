/**
 * Ending people's sessions by hand. Their paid time runs on: to keep somebody off, block them. Presence notes at once
 * that they are offline, so that they can come back before the router is read again.
 */
import { withDeadline } from '../../domain/deadline.ts';
import { LangoError } from '../../domain/errors.ts';
import { type Phone, parsePhone, routerUserName, stripDeviceSuffix } from '../../domain/phone.ts';
import type { RouterSession } from '../../domain/ports.ts';
import type { Context } from '../context.ts';

type Hotspot = Pick<Context, 'router' | 'presence'>;

/** A reply takes 10 s at most: this much of them may go to the router. */
const LONGEST_WAIT_MS = 9_500;

/** @throws LangoError ROUTER_UNAVAILABLE when the time is up; the work goes on */
export function inTime(work: Promise<number>): Promise<number> {
  return withDeadline(work, LONGEST_WAIT_MS, () => {
    throw new LangoError('ROUTER_UNAVAILABLE', 'The router took too long to answer. Try again.');
  });
}

/**
 * Ends the sessions behind a name and removes its login cookies, so that the router does not bring them back.
 * @param name as an admin writes it: a router's user name, or a phone number in any form; a number stands for all
 *   devices of the person, a device suffix (`255712345678-2`) for one of them
 * @returns how many sessions ended
 */
export async function disconnectName({ router, presence }: Hotspot, name: string, country: string): Promise<number> {
  const isMeant = matcherOf(name.trim(), country);
  const theirs = (await router.sessions()).filter(session => isMeant(session.user));
  let ended = 0;
  for (const user of new Set(theirs.map(session => session.user))) {
    await router.removeCookies({ user });
    ended += await router.endSessions({ user });
  }
  presence.seeSome(macsOf(theirs), []);
  return ended;
}

function matcherOf(name: string, country: string): (user: string) => boolean {
  const person = stripDeviceSuffix(name);
  const phone = parsePhone(person, country);
  if (phone === null) return user => user === name;
  if (person === name) return user => stripDeviceSuffix(user) === routerUserName(phone, 1);
  const device = routerUserName(phone, Number(name.slice(person.length + 1)));
  return user => user === device;
}

/** All sessions of a person, also those that a device has under another name. @returns how many ended */
export async function disconnectPerson(
  { router, presence }: Hotspot,
  person: { phone: Phone; macs: readonly string[] },
): Promise<number> {
  const name = routerUserName(person.phone, 1);
  const sessions = await router.sessions();
  const theirs = sessions.filter(
    ({ user, mac }) => stripDeviceSuffix(user) === name || (mac !== null && person.macs.includes(mac)),
  );
  let ended = 0;
  for (const { user, mac } of theirs) {
    const match = mac === null ? { user } : { user, mac };
    await router.removeCookies(match);
    ended += await router.endSessions(match);
  }
  presence.seeSome(macsOf(theirs), []);
  return ended;
}

/** @returns how many sessions ended */
export async function disconnectAll({ router, presence }: Hotspot): Promise<number> {
  const ended = await router.endAllSessions();
  presence.seeAll([]);
  return ended;
}

const macsOf = (sessions: readonly RouterSession[]) => sessions.flatMap(session => session.mac ?? []);
