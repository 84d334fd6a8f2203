/** MAC and IP addresses in their canonical forms. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

declare const macBrand: unique symbol;
/** Upper case hex pairs with colons, of one station (never multicast, broadcast or all-zero). */
export type Mac = string & { readonly [macBrand]: true };

const CANONICAL = /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/;
const FORMS = [
  /^([0-9a-f]{2})(?::[0-9a-f]{2}){5}$/i,
  /^([0-9a-f]{2})(?:-[0-9a-f]{2}){5}$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/i,
  /^[0-9a-f]{12}$/i,
];

/** @returns null when the text is not a MAC, or not the address of one station. */
export function parseMac(text: string): Mac | null {
  const trimmed = text.trim();
  const canonical = CANONICAL.test(trimmed) ? trimmed : canonicalMac(trimmed);
  if (canonical === null || canonical === NOBODY) return null;
  const isGroup = (Number.parseInt(canonical.slice(0, 2), 16) & 1) === 1;
  return isGroup ? null : (canonical as Mac);
}

const NOBODY = '00:00:00:00:00:00';

function canonicalMac(text: string): string | null {
  if (!FORMS.some(form => form.test(text))) return null;
  const hex = text.replace(/[:.-]/g, '').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}

/** @returns canonical IPv4 or IPv6 text (an IPv4-mapped IPv6 address as IPv4), or null. */
export function parseIp(text: string): string | null {
  const trimmed = text.trim();
  if (isIPv4(trimmed)) return trimmed;
  return ipaddr.IPv6.isValid(trimmed) ? ipaddr.process(trimmed).toString() : null;
}
