/** The machine itself: our account, the licence, the version, the clock, and the line between Lango and the API. */
import type { Row } from '../link.ts';
import { parseBoolean } from '../words.ts';
import { type Command, consolePath } from './commands.ts';
import type { PlanContext } from './draft.ts';
import { removalOf, withUndo } from './undo.ts';
import { isAtLeast } from './version.ts';

/** Below it the API's login is the old one. */
const RECOMMENDED_VERSION = [6, 43] as const;
/** A clock that was never set counts from 1970; this program is younger than that. */
const EARLIEST_YEAR = 2024;
/** Of the encrypted API. */
export const CERTIFICATE = {
  name: 'lango-api',
  'common-name': 'lango-api',
  'days-valid': '3650',
  'key-usage': 'digital-signature,key-encipherment,tls-server',
} as const;

/** What the router's licence lets online at once. Source: RouterOS manual, "RouterOS license keys". */
const PEOPLE_OF_LICENCE: Readonly<Record<string, number>> = { '0': 1, '1': 1, '3': 1, '4': 200, '5': 500 };

/** What the account is for, beside reading and writing. */
const USES = {
  ftp: 'the login page, because the router may want it for files',
  reboot: 'restarting the router from the admin pages',
} as const;

export function planAccount({ found: { policies }, settings, draft: { missing, notes } }: PlanContext): void {
  if (policies === null) return;
  const account = `The account "${settings.username}"`;
  if (!policies.has('write')) {
    missing.push(
      `${account} may only read on the router, so nobody can be put online: add the policy "write" to its group under /user group.`,
    );
  }
  for (const [policy, use] of Object.entries(USES)) {
    if (!policies.has(policy)) {
      notes.push(`${account} lacks the policy "${policy}", for ${use}: add it to its group under /user group.`);
    }
  }
}

/** From 7.19 on the menu lists open connections too, under the name of their service. */
export function serviceOf(rows: readonly Row[], name: string): Row | undefined {
  return rows.find(row => row['name'] === name && !parseBoolean(row['dynamic']) && !parseBoolean(row['connection']));
}

/** Passwords go over the line to the API, which customers share where the appliance stands on their network. */
export function planLine({ found, settings, isOnHotspot, draft }: PlanContext): void {
  const services = found.rows('/ip/service');
  const used = serviceOf(services, settings.ssl ? 'api-ssl' : 'api');
  const only = used?.['available-from'] || used?.['address'];
  if (only) {
    draft.notes.push(
      `The service "${used?.['name']}" lets in ${only} alone: your other tools that use it from elsewhere are cut off.`,
    );
  }
  const secure = serviceOf(services, 'api-ssl');
  if (secure === undefined) return;
  const shown = found.rows('/certificate').find(({ name }) => name === secure['certificate']);
  const fingerprint = shown?.['fingerprint'];
  const isReady = fingerprint !== undefined && !parseBoolean(secure['disabled']);
  if (isReady && (settings.ssl ? settings.sslFingerprint === null : isOnHotspot)) {
    draft.secureLine = { port: Number(secure['port']), sslFingerprint: fingerprint };
  } else if (!settings.ssl && isOnHotspot) {
    draft.changes.push({
      what: 'Make a certificate on the router, and switch its encrypted API on with it (api-ssl).',
      why: 'The appliance is on the customers’ network, where a plain line to the API can be listened to.',
      commands: secureCommands(secure, found.rows('/certificate'), found.undoScripts),
    });
  }
}

function secureCommands(service: Row, certificates: readonly Row[], undoScripts: ReadonlySet<string>): Command[] {
  const added = certificates.find(({ name }) => name === CERTIFICATE.name);
  const { '.id': id = '', certificate: before = 'none', disabled } = service;
  const values = { certificate: before || 'none', disabled: parseBoolean(disabled) ? 'yes' : 'no' };
  const undo: Command = { menu: '/ip/service', verb: 'set', find: ['name', 'api-ssl'], values };
  return [
    ...(added === undefined
      ? withUndo(undoScripts, removalOf('/certificate', 'name', CERTIFICATE), {
          menu: '/certificate',
          verb: 'add',
          values: CERTIFICATE,
        })
      : []),
    ...(added?.['fingerprint'] === undefined
      ? [{ menu: '/certificate', verb: 'sign', id: CERTIFICATE.name } as const]
      : []),
    ...withUndo(undoScripts, undo, {
      menu: '/ip/service',
      verb: 'set',
      id,
      values: { certificate: CERTIFICATE.name, disabled: 'no' },
    }),
  ];
}

export function planMachine({ found, draft: { missing, notes } }: PlanContext): void {
  const { version } = found;
  const level = found.rows('/system/license')[0]?.['nlevel'] ?? '';
  const people = PEOPLE_OF_LICENCE[level];
  if (people === 1) {
    missing.push(
      `The router's licence, level ${level}, lets one person online (license-session-limit): level 4 lets 200, level 5 lets 500.`,
    );
  } else if (people !== undefined) {
    notes.push(`The router's licence, level ${level}, lets ${people} people online at once.`);
  }
  if (!isAtLeast(version, RECOMMENDED_VERSION)) {
    notes.push(
      `RouterOS ${version} sends passwords in an old way: an update to ${RECOMMENDED_VERSION.join('.')} or newer is recommended.`,
    );
  }
  // `2026-11-21`, before 7.10 `nov/21/2026`.
  const year = Number(/\d{4}/.exec(found.rows('/system/clock')[0]?.['date'] ?? '')?.[0]) || null;
  if (year !== null && year < EARLIEST_YEAR) {
    notes.push(
      `The router's clock says it is ${year}. Lango does not go by it, but certificates and the router's log do.`,
    );
  }
  const [time] = found.rows('/system/ntp/client');
  if (time !== undefined && !parseBoolean(time['enabled'])) {
    const servers = isAtLeast(version, [7, 0]) ? 'servers=pool.ntp.org' : 'server-dns-names=pool.ntp.org';
    notes.push(
      `The router asks no time server, so its clock is wrong after each power cut: run \`${consolePath('/system/ntp/client')} set enabled=yes ${servers}\` in its terminal.`,
    );
  }
}
