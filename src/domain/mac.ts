/** MAC and IP addresses in their canonical forms. */
import ipaddr from 'ipaddr.js';

declare const macBrand: unique symbol;
/** Upper case hex pairs with colons, of one station (never multicast, broadcast or all-zero). */
export type Mac = string & { readonly [macBrand]: true };

const FORMS = [
  /^([0-9a-f]{2})(?::[0-9a-f]{2}){5}$/i,
  /^([0-9a-f]{2})(?:-[0-9a-f]{2}){5}$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/i,
  /^[0-9a-f]{12}$/i,
];

/** @returns null when the text is not a MAC, or not the address of one station. */
export function parseMac(text: string): Mac | null {
  const trimmed = text.trim();
  if (!FORMS.some(form => form.test(trimmed))) return null;
  const hex = trimmed.replace(/[:.-]/g, '').toUpperCase();
  const isGroup = (Number.parseInt(hex.slice(0, 2), 16) & 1) === 1;
  if (isGroup || /^0{12}$/.test(hex)) return null;
  return (hex.match(/../g) ?? []).join(':') as Mac;
}

/** @returns canonical IPv4 or IPv6 text (an IPv4-mapped IPv6 address as IPv4), or null. */
export function parseIp(text: string): string | null {
  const trimmed = text.trim();
  if (!ipaddr.IPv4.isValidFourPartDecimal(trimmed) && !ipaddr.IPv6.isValid(trimmed)) return null;
  return ipaddr.process(trimmed).toString();
}
