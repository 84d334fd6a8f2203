/** Who is asking: the address of the socket, or what a trusted proxy says of it. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

import { parseIp } from '../domain/mac.ts';

export type ClientAddress = (request: IncomingMessage) => string;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const UNKNOWN = '0.0.0.0';

/**
 * @param trustedProxies addresses or CIDRs; `X-Forwarded-For` counts only when the socket's other end is one of them.
 *   The client is then the rightmost entry that is not itself a trusted proxy: everything left of it may be invented.
 * @throws Error when an entry is neither an address nor a CIDR
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = isOneOf(trustedProxies);

  return request => {
    const peer = peerAddress(request.socket);
    const forwarded = trustedProxies.length === 0 ? undefined : request.headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return peer;
    let client = peer;
    for (const entry of String(forwarded).split(',').toReversed()) {
      const address = parseIp(withoutPort(entry.trim()));
      if (address === null) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}

/**
 * @param ranges addresses or CIDRs
 * @throws Error when an entry is neither an address nor a CIDR
 */
export function isOneOf(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map(parseRange);
  if (parsed.length === 0) return () => false;
  return address => {
    const one = ipaddr.process(address);
    return parsed.some(range => range[0].kind() === one.kind() && one.match(range));
  };
}

/** `::ffff:192.0.2.1`, as a dual-stack socket calls an IPv4 peer, becomes `192.0.2.1`. A zone (`%eth0`) is dropped. */
export function peerAddress({ remoteAddress: address }: Socket): string {
  if (address === undefined) return UNKNOWN;
  return address.includes(':') ? (parseIp(address.split('%', 1)[0] ?? '') ?? UNKNOWN) : address;
}

function withoutPort(entry: string): string {
  return /^\[([^\]]*)\]/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

function parseRange(text: string): Range {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseIp(text);
  if (address === null) throw new Error(`"${text}" is neither an address nor a CIDR such as 10.0.0.0/8.`);
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}
