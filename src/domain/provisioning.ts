/** Setting up a router for Lango: what it must be able to do, what is to be changed for that, and who changes it. */
import type { RouterSettings } from './ports.ts';

/** The desired state, in the business's words; the same for every make of router. */
export interface RouterNeeds {
  /** Where phones find the portal; null: `portalProblem` says why they cannot. */
  readonly portal: PortalPlace | null;
  readonly portalProblem: string | null;
  /** Hosts that phones must reach before they are online; `*.example.com` is every host below example.com. */
  readonly openHosts: readonly string[];
  /** Hotspot user profile of people whose bundle names none. */
  readonly profile: string;
  /** Hotspot server to act on; null: all of them. */
  readonly hotspot: string | null;
  /** Where a hotspot is set up should there be none; null: nowhere, it is for the operator to do. */
  readonly interface: string | null;
}

export interface PortalPlace {
  /** Absolute, ends in a slash. */
  readonly url: string;
  /** An IPv4 address or a name. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
}

/** One change that Lango can make on the router. */
export interface RouterStep {
  readonly what: string;
  readonly why: string;
  /** As it can be typed into the router's own console; one line. */
  readonly command: string;
}

/** The router's encrypted API, with the SHA-256 fingerprint of its certificate. */
export interface SecureLine {
  readonly port: number;
  readonly sslFingerprint: string;
}

export interface RouterPlan {
  readonly steps: readonly RouterStep[];
  /** What our own line should be instead of what it is, and can be as soon as somebody changes the settings; or null. */
  readonly secureLine: SecureLine | null;
  /** What is missing too, and only the operator can mend: one sentence each, with the fix. */
  readonly missing: readonly string[];
  /** What is worth knowing, and stops nobody. */
  readonly notes: readonly string[];
}

export interface RouterChange extends RouterStep {
  /** The router's own words, and what to do about them; null: done. */
  readonly refusal: string | null;
}

/**
 * Each call settles within its deadline. Rows without our mark are never changed, and nothing of the operator's is lost.
 * @throws LangoError ROUTER_UNAVAILABLE not configured, not reachable, or an answer was lost: ask for the plan again
 * @throws LangoError ROUTER_REFUSED the router does not let us look
 */
export interface RouterProvisioner {
  plan(): Promise<RouterPlan>;
  /**
   * Makes every change of the plan. One that is refused does not stop the others.
   * @param tell of each change, as it is made: those stand, should the router be lost on the way
   * @returns the plan afterwards
   */
  apply(tell: (change: RouterChange) => void): Promise<RouterPlan>;
  /**
   * Takes back all that apply() and the appliance have put there. The appliance must not run: it would begin again.
   * @returns what is left of it
   */
  remove(tell: (change: RouterChange) => void): Promise<RouterPlan>;
}

export const isReady = (plan: RouterPlan): boolean => lacksOf(plan).length === 0;

/** What is still to be done, one sentence each. */
export function lacksOf({ steps, missing }: RouterPlan): string[] {
  return [...missing, ...steps.map(({ what, why }) => `${what} ${why}`)];
}

/**
 * What is worth knowing, for whoever can change the settings: a command cannot, while the appliance runs.
 * @param isByVariables the environment says how to reach the router
 */
export function notesOf({ notes, secureLine }: RouterPlan, isByVariables: boolean): readonly string[] {
  if (secureLine === null) return notes;
  const { port, sslFingerprint } = secureLine;
  const variables = `set LANGO_ROUTER_SSL=true, LANGO_ROUTER_PORT=${port} and LANGO_ROUTER_SSL_FINGERPRINT=${sslFingerprint}`;
  const fix = `${isByVariables ? `${variables}, or ` : ''}apply the set-up plan in the admin site, which uses it.`;
  return [...notes, `The router's encrypted API is ready, and the line to it can be listened to: ${fix}`];
}

/**
 * @param baseUrl LANGO_BASE_URL
 * @param openHosts `capabilities.walledGarden` of the payment provider
 * @param chosenInterface for a hotspot, where there is none
 */
export function routerNeeds(
  baseUrl: string,
  openHosts: readonly string[],
  settings: Pick<RouterSettings, 'profile' | 'hotspot'> | null,
  chosenInterface: string | null = null,
): RouterNeeds {
  const portal = portalPlace(baseUrl);
  return {
    portal: typeof portal === 'string' ? null : portal,
    portalProblem: typeof portal === 'string' ? portal : null,
    openHosts,
    profile: settings?.profile ?? 'default',
    hotspot: settings?.hotspot ?? null,
    interface: chosenInterface,
  };
}

/** @returns why phones cannot be sent there, where they cannot */
function portalPlace(baseUrl: string): PortalPlace | string {
  const { href, protocol, hostname, port } = new URL(`${baseUrl}/`);
  const fix = "set LANGO_BASE_URL to the appliance's address on the hotspot's network, such as http://10.5.50.2:8080.";
  if (/^127\.|^0\.0\.0\.0$|^\[::1?\]$|(^|\.)localhost$/.test(hostname)) {
    return `LANGO_BASE_URL is ${baseUrl}, which leads a phone to itself: ${fix}`;
  }
  if (hostname.startsWith('[')) return `LANGO_BASE_URL is ${baseUrl}, and a hotspot only knows IPv4: ${fix}`;
  return {
    url: href,
    host: hostname,
    isAddress: /^\d+(\.\d+){3}$/.test(hostname),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
