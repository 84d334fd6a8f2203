/** Plain copies of what lives in the hotspot, for tests to look at. */
import type { Host } from './hosts.ts';
import type { Hotspot } from './hotspot.ts';
import type { Session } from './sessions.ts';
import type { Row } from './table.ts';
import { parseDuration } from './values.ts';

export interface SimulatedSession {
  id: string;
  user: string;
  mac: string;
  address: string;
  by: string;
  uptimeSeconds: number;
  /** Milliseconds since the epoch; null: the router sets no end. */
  endsAt: number | null;
}

export interface SimulatedUser {
  id: string;
  name: string;
  password: string;
  profile: string;
  mac: string | null;
  comment: string;
  disabled: boolean;
  uptimeSeconds: number;
  limitUptimeSeconds: number | null;
}

export interface SimulatedHost {
  id: string;
  mac: string;
  address: string;
  name: string;
  server: string;
  authorized: boolean;
}

export function sessionSeen(hotspot: Hotspot, session: Session): SimulatedSession {
  return {
    id: session.id,
    user: session.user,
    mac: session.mac,
    address: session.address,
    by: session.by,
    uptimeSeconds: Math.floor(hotspot.sessions.uptimeMs(session) / 1_000),
    endsAt: hotspot.endsAt(session),
  };
}

export function userSeen(hotspot: Hotspot, row: Row): SimulatedUser {
  return {
    id: row['.id'] ?? '',
    name: row['name'] ?? '',
    password: row['password'] ?? '',
    profile: row['profile'] ?? '',
    mac: row['mac-address'] ?? null,
    comment: row['comment'] ?? '',
    disabled: row['disabled'] === 'true',
    uptimeSeconds: Math.floor(hotspot.sessions.usedMs(row) / 1_000),
    limitUptimeSeconds: row['limit-uptime'] === undefined ? null : parseDuration(row['limit-uptime']),
  };
}

export function hostSeen(hotspot: Hotspot, { id, mac, address, toAddress, name, server }: Host): SimulatedHost {
  return { id, mac, address, name, server, authorized: hotspot.sessions.at(toAddress) !== undefined };
}
