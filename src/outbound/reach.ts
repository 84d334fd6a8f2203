/** Addresses, told by their looks alone: of the Web, and from where one of ours can be reached. */

export function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

export type Reach = 'this machine' | 'our network' | 'anywhere';

const LOCAL_HOST = /^127\.|^0\.0\.0\.0$|^\[::1?\]$|(^|\.)localhost$/;
const PRIVATE_HOST =
  /^10\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[f[cde]|\.(local|lan|home|internal)$|^[^.:]+$/;

/** @param url with a host name or address in it */
export function reachOf(url: string): Reach {
  const { hostname } = new URL(url);
  if (LOCAL_HOST.test(hostname)) return 'this machine';
  return PRIVATE_HOST.test(hostname) ? 'our network' : 'anywhere';
}
