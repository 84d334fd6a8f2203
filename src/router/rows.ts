/**
 * The router's objects: where each lives, the properties we read of it, and what they become.
 * Source: RouterOS manual, "HotSpot".
 */
import { type Mac, parseMac } from '../domain/mac.ts';
import type { RouterHost, RouterProfile, RouterSession, RouterUser } from '../domain/ports.ts';
import type { Menu } from './menu.ts';
import { parseBoolean, parseCount, parseDuration, parseLimit } from './words.ts';

/**
 * The comment of a router user that Lango made, and may therefore change and remove. The colon is part of the mark, so
 * that an operator's "lango is nice" is not one; what follows it is the version of the mark.
 */
export const OUR_MARK = 'lango:v1';

export function isOurs(comment: string): boolean {
  return comment.startsWith('lango:');
}

/** What a device gives itself that was given no address: nobody answers it. */
function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.');
}

export const SESSIONS: Menu<RouterSession> = {
  path: '/ip/hotspot/active',
  properties: [
    '.id',
    'user',
    'address',
    'mac-address',
    'server',
    'uptime',
    'session-time-left',
    'idle-time',
    'bytes-in',
    'bytes-out',
    'packets-in',
    'packets-out',
  ],
  read: row => ({
    id: row['.id'] ?? '',
    user: row['user'] ?? '',
    address: row['address'] ?? '',
    mac: parseMac(row['mac-address'] ?? ''),
    server: row['server'] ?? '',
    uptimeSeconds: parseDuration(row['uptime']) ?? 0,
    timeLeftSeconds: parseDuration(row['session-time-left']),
    idleSeconds: parseDuration(row['idle-time']) ?? 0,
    bytesIn: parseCount(row['bytes-in']),
    bytesOut: parseCount(row['bytes-out']),
    packetsIn: parseCount(row['packets-in']),
    packetsOut: parseCount(row['packets-out']),
  }),
};

export const HOSTS: Menu<RouterHost> = {
  path: '/ip/hotspot/host',
  properties: [
    '.id',
    'mac-address',
    'address',
    'to-address',
    'server',
    'uptime',
    'idle-time',
    'authorized',
    'bypassed',
  ],
  read: row => {
    const mac = parseMac(row['mac-address'] ?? '');
    if (mac === null) return null;
    const ownAddress = row['address'] ?? '';
    const address = row['to-address'] || ownAddress;
    return {
      id: row['.id'] ?? '',
      mac,
      address,
      ownAddress,
      isOnNetwork: !isLinkLocal(address),
      server: row['server'] ?? '',
      uptimeSeconds: parseDuration(row['uptime']) ?? 0,
      idleSeconds: parseDuration(row['idle-time']) ?? 0,
      authorized: parseBoolean(row['authorized']),
      bypassed: parseBoolean(row['bypassed']),
    };
  },
};

/** Who stands behind an address: a host reaches us under the one that the hotspot translates its own to. */
export const HOST_ADDRESSES: Menu<{ mac: Mac; address: string }> = {
  path: HOSTS.path,
  properties: ['mac-address', 'address', 'to-address'],
  read: row => {
    const mac = parseMac(row['mac-address'] ?? '');
    return mac === null ? null : { mac, address: row['to-address'] || (row['address'] ?? '') };
  },
};

export const USERS: Menu<RouterUser> = {
  path: '/ip/hotspot/user',
  properties: ['.id', 'name', 'mac-address', 'profile', 'uptime', 'limit-uptime', 'comment', 'disabled'],
  read: row => {
    const comment = row['comment'] ?? '';
    return {
      id: row['.id'] ?? '',
      name: row['name'] ?? '',
      mac: parseMac(row['mac-address'] ?? ''),
      profile: row['profile'] ?? '',
      uptimeSeconds: parseDuration(row['uptime']) ?? 0,
      limitUptimeSeconds: parseLimit(row['limit-uptime']),
      comment,
      disabled: parseBoolean(row['disabled']),
      ours: isOurs(comment),
    };
  },
};

/** A login cookie; of no use to the business but to be removed. */
export const COOKIES: Menu<{ id: string; user: string; mac: string | null }> = {
  path: '/ip/hotspot/cookie',
  properties: ['.id', 'user', 'mac-address'],
  read: row => ({ id: row['.id'] ?? '', user: row['user'] ?? '', mac: parseMac(row['mac-address'] ?? '') }),
};

export const PROFILES: Menu<RouterProfile> = {
  path: '/ip/hotspot/user/profile',
  properties: ['name', 'rate-limit', 'shared-users', 'session-timeout', 'idle-timeout'],
  read: row => ({
    name: row['name'] ?? '',
    rateLimit: row['rate-limit'] || null,
    sharedUsers: row['shared-users'] ?? '',
    sessionTimeout: parseLimit(row['session-timeout']) === null ? null : (row['session-timeout'] ?? null),
    idleTimeout: row['idle-timeout'] || 'none',
  }),
};
