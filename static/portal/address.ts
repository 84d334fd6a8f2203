/**
 * The page's only memory is its address: the little browser that phones open forgets cookies and storage as soon
 * as it closes. The router puts `mac`, `ip`, `link-login-only`, `link-orig` and `error` there, a printed voucher
 * `code`, the checkout's way back `order`; the page adds `phone` and `lang`.
 */

const params = new URLSearchParams(location.search);

export type Field = 'mac' | 'ip' | 'link-login-only' | 'link-orig' | 'code' | 'order' | 'phone' | 'error' | 'lang';

/** What survives the way to the checkout and back. */
const CARRIED: readonly Field[] = ['mac', 'ip', 'link-login-only', 'link-orig', 'lang'];

/** @returns a value of the address, trimmed; `NAME-esc` (RouterOS's escaped variables) counts as NAME. */
export function read(field: Field): string | null {
  const plain = params.get(field);
  const value = plain === null || plain === '' ? unescaped(params.get(`${field}-esc`)) : plain;
  return value === null ? null : value.trim() || null;
}

function unescaped(value: string | null): string | null {
  if (value === null) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Puts values into the address without a new entry in the history; null takes one out. */
export function remember(values: Partial<Record<Field, string | null>>): void {
  for (const field of Object.keys(values) as Field[]) {
    const value = values[field];
    params.delete(`${field}-esc`);
    if (value) params.set(field, value);
    else params.delete(field);
  }
  const query = params.toString();
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
}

/** This same page in another language, with what has been typed so far. */
export function inLanguage(code: string, typed: { phone: string; code: string }): string {
  const query = new URLSearchParams(params.toString());
  query.set('lang', code);
  if (typed.phone !== '' && !query.has('order')) query.set('phone', typed.phone);
  if (typed.code !== '') query.set('code', typed.code);
  return `?${query.toString()}`;
}

/** The part of the address that the checkout must bring back, as a query string without `?`. */
export function carried(): string {
  const query = new URLSearchParams();
  for (const field of CARRIED) {
    const value = read(field);
    if (value !== null) query.set(field, value);
  }
  return query.toString();
}

/** This phone's MAC, `AA:BB:CC:DD:EE:FF`; null when the address has none or what no phone has in its place. */
export function mac(): string | null {
  const digits = (read('mac') || '').replace(/%3a|[:.-]/gi, '');
  if (!/^[0-9a-f][02468ace][0-9a-f]{10}$/i.test(digits)) return null;
  return (digits.toUpperCase().match(/../g) as string[]).join(':');
}

/** Addresses that phones open only to test for internet: nobody wants to be sent there. */
const PROBE =
  /generate_?204|gen_204|hotspot-?detect|captive|connectivity|ncsi|connecttest|detectportal|success\.(txt|html)/i;

/** The page that the person wanted when the router stepped in; null for probes, and for anything that is not the web. */
export function wantedPage(): URL | null {
  const link = read('link-orig');
  if (link === null || PROBE.test(link)) return null;
  try {
    const url = new URL(/^https?%3a/i.test(link) ? decodeURIComponent(link) : link);
    return /^https?:$/.test(url.protocol) && url.host !== location.host ? url : null;
  } catch {
    return null;
  }
}
