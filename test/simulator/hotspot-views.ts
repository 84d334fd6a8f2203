/** The menus under `/ip/hotspot` that show what lives in the hotspot: sessions, hosts and cookies. */
import type { Host } from './hosts.ts';
import type { Cookie, Hotspot } from './hotspot.ts';
import { type Menu, viewMenu } from './menu.ts';
import { NO_TRAFFIC, type Session } from './sessions.ts';
import { missingParameter, unknownParameter } from './trap.ts';
import { address, formatDuration, mac } from './values.ts';

export function activeMenu(hotspot: Hotspot, now: () => number): Menu<Session> {
  const { sessions } = hotspot;
  const idleMs = (session: Session) => {
    const host = hotspot.hosts.at(session.address);
    return host === undefined ? 0 : hotspot.hosts.idleMs(host);
  };
  return viewMenu<Session>(
    {
      '.id': session => session.id,
      server: session => session.server,
      user: session => session.user,
      address: session => session.address,
      'mac-address': session => session.mac,
      'login-by': session => session.by,
      uptime: session => duration(sessions.uptimeMs(session)),
      'session-time-left': session => {
        const end = hotspot.endsAt(session);
        return end === null ? undefined : duration(end - now());
      },
      'idle-time': session => duration(idleMs(session)),
      'idle-timeout': session => unlessNone(session.idleTimeout),
      'keepalive-timeout': session => unlessNone(session.keepaliveTimeout),
      'bytes-in': session => String(sessions.traffic(session).bytesIn),
      'bytes-out': session => String(sessions.traffic(session).bytesOut),
      'packets-in': session => String(sessions.traffic(session).packetsIn),
      'packets-out': session => String(sessions.traffic(session).packetsOut),
      radius: () => 'false',
      comment: session => session.comment,
    },
    {
      items: () => sessions.all(),
      find: id => withId(sessions.all(), id),
      remove: session => hotspot.end(session, 'admin reset'),
      // A session's limits are what they were at its login; only a comment can be put to it.
      set: (session, values) => {
        for (const name of values.keys()) if (name !== 'comment') throw unknownParameter(name);
        session.comment = values.get('comment') ?? session.comment;
      },
      extras: new Map([
        [
          'login',
          attributes => {
            for (const name of attributes.keys()) {
              if (!['user', 'password', 'ip', 'mac-address', 'domain'].includes(name)) throw unknownParameter(name);
            }
            const user = attributes.get('user') ?? '';
            const ip = attributes.get('ip');
            if (ip === undefined) throw missingParameter('ip');
            const macAddress = attributes.get('mac-address');
            hotspot.login({
              user,
              password: attributes.get('password') ?? '',
              address: address(ip, 'ip'),
              mac: macAddress === undefined ? undefined : mac(macAddress, 'mac-address'),
              by: 'admin',
            });
          },
        ],
      ]),
    },
  );
}

export function hostMenu(hotspot: Hotspot, now: () => number): Menu<Host> {
  const traffic = (host: Host) => {
    const session = hotspot.sessions.at(host.toAddress);
    return session === undefined ? NO_TRAFFIC : hotspot.sessions.traffic(session);
  };
  return viewMenu<Host>(
    {
      '.id': host => host.id,
      'mac-address': host => host.mac,
      address: host => host.address,
      'to-address': host => host.toAddress,
      server: host => host.server,
      uptime: host => duration(now() - host.since),
      'idle-time': host => duration(hotspot.hosts.idleMs(host)),
      'idle-timeout': () => '5m',
      'host-dead-time': () => '0s',
      'bytes-in': host => String(traffic(host).bytesIn),
      'bytes-out': host => String(traffic(host).bytesOut),
      'packets-in': host => String(traffic(host).packetsIn),
      'packets-out': host => String(traffic(host).packetsOut),
      'found-by': () => 'dhcp',
      dynamic: () => 'false',
      authorized: host => String(hotspot.sessions.at(host.toAddress) !== undefined),
      bypassed: host => String(hotspot.bindingOf(host) === 'bypassed'),
      blocked: host => String(hotspot.bindingOf(host) === 'blocked'),
      DHCP: () => 'true',
    },
    {
      items: () => hotspot.hosts.all(),
      find: id => withId(hotspot.hosts.all(), id),
      remove: host => hotspot.forget(host, 'admin reset'),
    },
  );
}

export function cookieMenu(hotspot: Hotspot, now: () => number): Menu<Cookie> {
  return viewMenu<Cookie>(
    {
      '.id': cookie => cookie.id,
      user: cookie => cookie.user,
      'mac-address': cookie => cookie.mac,
      'expires-in': cookie => duration(cookie.expiresAt - now()),
      'mac-cookie': () => 'true',
    },
    {
      items: () => hotspot.cookies(),
      find: id => withId(hotspot.cookies(), id),
      remove: cookie => hotspot.removeCookie(cookie),
    },
  );
}

function duration(ms: number): string {
  return formatDuration(ms / 1_000);
}

function unlessNone(timeout: string): string | undefined {
  return timeout === 'none' ? undefined : timeout;
}

function withId<Item extends { readonly id: string }>(items: Iterable<Item>, id: string): Item | undefined {
  for (const item of items) if (item.id === id) return item;
  return undefined;
}
