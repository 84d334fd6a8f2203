/**
 * `rx/tx [rx-burst/tx-burst [threshold [time [priority [rx-min/tx-min]]]]]` of a hotspot profile. Source: RouterOS
 * manual, "HotSpot User", "rate-limit".
 */
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** What is wrong, and the fix; null: nothing. The router takes such a limit, and then refuses each login with it. */
export function rateLimitProblem(limit: string): string | null {
  const [rate, burst] = limit.trim().split(/\s+/, 2).map(ratesOf);
  if (rate === undefined || burst === undefined) return null;
  const isBelow = rate.some((most, at) => (burst[at] ?? 0) > 0 && (burst[at] ?? 0) < most);
  return isBelow ? 'raise the burst rate, which comes second, to the rate before it at least, or leave it out.' : null;
}

/** Up and down in bit/s; one for both where only one is given. */
function ratesOf(pair: string): [number, number] {
  const [up = '', down = up] = pair.split('/');
  return [rateOf(up), rateOf(down)];
}

function rateOf(text: string): number {
  const [, digits = '0', unit = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? [];
  return Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
}
