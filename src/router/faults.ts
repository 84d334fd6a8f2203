/** What goes wrong between the appliance and a router, in words that a person can act on. */
import { LangoError } from '../domain/errors.ts';
import type { RouterSettings } from '../domain/ports.ts';
import { RouterFatal } from './corrections.ts';
import { FramingError } from './framing.ts';

/** A `!trap`: the router's own words, and its category (0 missing, 1 bad argument, 2 interrupted …), often absent. */
export class RouterTrap extends Error {
  override readonly name = 'RouterTrap';
  readonly category: number | null;

  constructor(attributes: Readonly<Record<string, string | undefined>>) {
    super(attributes['message'] ?? '');
    this.category = attributes['category'] === undefined ? null : Number(attributes['category']);
  }
}

type Place = Pick<RouterSettings, 'host' | 'port'>;

const UNREACHABLE = 'cannot be reached. Check its address, its power and the cable.';
const UNKNOWN_NAME = 'is not known by that name. Check the address.';
const CUT =
  'cut the connection. Check that its API service allows this appliance, ' +
  'and that port and SSL setting fit (8728 plain, 8729 SSL).';

const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection. Check the port, and that its API service is on.',
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
  ECONNRESET: CUT,
  ECONNABORTED: CUT,
  EPIPE: CUT,
};

function unavailable(message: string, cause?: unknown): LangoError {
  return new LangoError('ROUTER_UNAVAILABLE', message, { cause });
}

export function notConfigured(): LangoError {
  return unavailable('No router is configured. Enter its address and account in the router settings.');
}

export function closed(): LangoError {
  return unavailable('The connection to the router was closed. Try again.');
}

/** @param cause null: the router closed the connection in good order, before the login was over. */
export function unreachable(place: Place, cause: Error | null): LangoError {
  const router = `The router at ${place.host}:${place.port}`;
  if (cause === null) return unavailable(`${router} ${CUT}`);
  if (cause instanceof RouterFatal) return unavailable(`${router} ended the connection: ${cause.message}.`, cause);
  if (cause instanceof FramingError)
    return unavailable(`${router} does not speak the RouterOS API. Check the port.`, cause);
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const advice = ADVICE[code];
  if (advice !== undefined) return unavailable(`${router} ${advice}`, cause);
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)/.test(code)) {
    return unavailable(`${router} did not agree on SSL. Check the port and the SSL setting (8729 with SSL).`, cause);
  }
  return unavailable(`${router} cannot be connected to: ${cause.message || code}.`, cause);
}

export function silent(place: Place): LangoError {
  return unavailable(`The router at ${place.host}:${place.port} does not answer. Check that it is on and reachable.`);
}

export function tooSlow(): LangoError {
  return unavailable('The router took too long to answer. Try again.');
}

/** The connection was up, and died. */
export function lost(place: Place, cause: Error | null): LangoError {
  if (cause instanceof FramingError) return endless(place, cause);
  const why = cause instanceof RouterFatal && cause.message !== '' ? ` (${cause.message})` : '';
  return unavailable(`The connection to the router at ${place.host}:${place.port} was lost${why}. Try again.`, cause);
}

/** The connection is dropped: what the router sends would fill the memory. */
export function endless(place: Place, cause: FramingError): LangoError {
  return unavailable(
    `The connection to the router at ${place.host}:${place.port} was dropped: it sent ${cause.message}. ` +
      'Check that it is your router, and its health.',
    cause,
  );
}

export function wrongCertificate(place: Place, shown: string | null): LangoError {
  const what = shown === null ? 'shows no certificate' : `shows a certificate with the fingerprint ${shown}`;
  return unavailable(
    `The router at ${place.host}:${place.port} ${what}, not the one in the settings. ` +
      'Check that it is your router, then correct the fingerprint.',
  );
}

/** The account of the appliance itself was refused: no command has reached the router. */
export function loginRefused(settings: Pick<RouterSettings, 'username'>, trap: RouterTrap): LangoError {
  return unavailable(
    `The router refused the account "${settings.username}": ${trap.message}. ` +
      'Check user name and password in the router settings.',
    trap,
  );
}

export function refused(trap: RouterTrap): LangoError {
  return new LangoError('ROUTER_REFUSED', trap.message || 'The router refused, and did not say why.', { cause: trap });
}

/** The router's refusal behind an error; null when it is another error. */
export function trapOf(error: unknown): RouterTrap | null {
  return error instanceof LangoError && error.cause instanceof RouterTrap ? error.cause : null;
}

export function isMissingItem(error: unknown): boolean {
  return /no such item/.test(trapOf(error)?.message ?? '');
}

/** `no such command` or `no such command prefix`: the router has no such menu. */
export function isMissingCommand(error: unknown): boolean {
  return /no such command/.test(trapOf(error)?.message ?? '');
}

/** The address is that of no host: the device has left, or has another one by now. */
export function isUnknownHost(error: unknown): boolean {
  return /unknown host/.test(trapOf(error)?.message ?? '');
}

/** `failure: already have user with this name for this server`; the text for a profile was never seen on hardware. */
export function isDuplicate(error: unknown): boolean {
  return /already have/.test(trapOf(error)?.message ?? '');
}
