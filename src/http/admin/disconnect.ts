/**
 * Ending people's sessions by hand. Their paid time runs on: to keep somebody off, block them. Presence notes at once
 * that they are offline, so that they can come back before the router is read again.
 */
import { ROUTER_TIMEOUT_MS, soonAfterOne, withDeadline } from '../../domain/deadline.ts';
import { LangoError } from '../../domain/errors.ts';
import { type Phone, parsePhone, routerUserName, stripDeviceSuffix } from '../../domain/phone.ts';
import type { RouterSession } from '../../domain/ports.ts';
import type { SiteRouter } from '../../domain/site.ts';

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
export function disconnectName(routers: readonly SiteRouter[], name: string, country: string): Promise<number> {
  const isMeant = matcherOf(name.trim(), country);
  return onEach(routers, async ({ port, presence }) => {
    const theirs = (await port.sessions()).filter(session => isMeant(session.user));
    let ended = 0;
    for (const user of new Set(theirs.map(session => session.user))) {
      await port.removeCookies({ user });
      ended += await port.endSessions({ user });
    }
    presence.seeSome(macsOf(theirs), []);
    return ended;
  });
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
export function disconnectPerson(
  routers: readonly SiteRouter[],
  person: { phone: Phone; macs: readonly string[] },
): Promise<number> {
  const name = routerUserName(person.phone, 1);
  return onEach(routers, async ({ port, presence }) => {
    const theirs = (await port.sessions()).filter(
      ({ user, mac }) => stripDeviceSuffix(user) === name || (mac !== null && person.macs.includes(mac)),
    );
    let ended = 0;
    for (const { user, mac } of theirs) {
      const match = mac === null ? { user } : { user, mac };
      await port.removeCookies(match);
      ended += await port.endSessions(match);
    }
    presence.seeSome(macsOf(theirs), []);
    return ended;
  });
}

/** @returns how many sessions ended */
export async function disconnectAll({ port, presence }: SiteRouter): Promise<number> {
  const ended = await port.endAllSessions();
  presence.seeAll([]);
  return ended;
}

const macsOf = (sessions: readonly RouterSession[]) => sessions.flatMap(session => session.mac ?? []);

/**
 * A person is on one router at a time: once it has ended something, the others are not waited for.
 * @throws LangoError what went wrong on a router, where nothing ended
 */
async function onEach(routers: readonly SiteRouter[], act: (router: SiteRouter) => Promise<number>): Promise<number> {
  const failures: unknown[] = [];
  const configured = routers.filter(({ settings }) => settings !== null);
  const works = (configured.length > 0 ? configured : routers).map(async router => {
    try {
      return await act(router);
    } catch (error) {
      failures.push(error);
      return 0;
    }
  });
  const ended = await soonAfterOne(works, count => count > 0, ROUTER_TIMEOUT_MS, 0);
  const total = ended.reduce((sum, count) => sum + count, 0);
  if (total === 0 && failures.length > 0) throw failures[0];
  return total;
}
