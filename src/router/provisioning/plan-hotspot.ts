/** The hotspot servers, their profiles, and the profiles of people. */
import { rateLimitProblem } from '../../domain/rate-limit.ts';
import { parseBoolean, parseDuration } from '../words.ts';
import { consoleLine, quoted } from './commands.ts';
import type { PlanContext } from './draft.ts';
import { isInForce, newProfile } from './rows.ts';
import { sessionScripts } from './session-scripts.ts';
import { addWithUndo, withUndo } from './undo.ts';
import { isAtLeast } from './version.ts';

/** Below it a sleeping iPhone is thrown out, in seconds. */
const SHORTEST_KEEPALIVE = 600;
/** From it on the hotspot itself can announce a portal by DHCP. */
const ANNOUNCING_VERSION = [6, 48] as const;

export function planHotspot({ needs: { hotspot, interface: chosen }, found, draft: { missing } }: PlanContext): void {
  const { servers } = found;
  const setUp = 'run `/ip hotspot setup` in the router’s terminal, which asks for the interface and the network';
  const chance = 'or choose one: `lango router apply --interface NAME`.';
  if (servers.length === 0) {
    if (chosen !== null) return;
    missing.push(
      hotspot === null
        ? `The router has no hotspot: ${setUp}, ${chance}`
        : `The router has no hotspot named "${hotspot}": correct LANGO_ROUTER_HOTSPOT, or ${setUp}, ${chance}`,
    );
  } else if (servers.every(server => !isInForce(server))) {
    missing.push('The hotspot is switched off: run `/ip hotspot enable [find]` in the router’s terminal.');
  }
  const [mode] = found.rows('/system/device-mode');
  const isForbidden = mode !== undefined && !parseBoolean(mode['hotspot'] ?? String(mode['mode'] !== 'home'));
  if (isForbidden) {
    missing.push(
      `The router's device-mode "${mode['mode']}" forbids hotspots: run \`/system device-mode update hotspot=yes fetch=yes\` in its terminal, then press its button or cut its power within 5 minutes. Nobody can do that from afar.`,
    );
    return;
  }
  for (const { name, interface: on } of servers.filter(server => parseBoolean(server['invalid']))) {
    missing.push(
      `The router does not run the hotspot "${name}": look whether its interface "${on}" is there, and is not a port of a bridge.`,
    );
  }
}

export function planServerProfiles({ found, draft: { changes, missing, notes } }: PlanContext): void {
  const used = new Set(found.servers.map(({ profile }) => profile));
  const hasFlash = found.rows('/file').some(({ name }) => name === 'flash');
  for (const profile of found.rows('/ip/hotspot/profile').filter(({ name }) => used.has(name))) {
    const { '.id': id = '', name = '', 'login-by': ways = '' } = profile;
    if (!ways.split(',').includes('mac-cookie')) {
      const undo = {
        menu: '/ip/hotspot/profile',
        verb: 'set',
        find: ['name', name],
        values: { 'login-by': ways },
      } as const;
      changes.push({
        what: `Let phones that paid come back by themselves: login-by of the hotspot profile "${name}" gets mac-cookie.`,
        why: 'Without it nobody who comes back gets in while the appliance is off.',
        commands: withUndo(found.undoScripts, undo, {
          menu: '/ip/hotspot/profile',
          verb: 'set',
          id,
          values: { 'login-by': [...ways.split(',').filter(Boolean), 'mac-cookie'].join(',') },
        }),
      });
    }
    const folder = profile['html-directory'] || 'hotspot';
    if (hasFlash && !profile['html-directory-override'] && !folder.startsWith('flash/')) {
      missing.push(
        `The pages of the hotspot are in "${folder}", which this board loses at each start: run \`/ip hotspot profile set [find name=${quoted(name)}] html-directory=flash/${folder}\` and \`/ip hotspot reset-html [find]\` in its terminal, then this again.`,
      );
    }
    if (
      isAtLeast(found.version, ANNOUNCING_VERSION) &&
      /https/.test(ways) &&
      !/^(none)?$/.test(profile['ssl-certificate'] ?? '')
    ) {
      notes.push(
        `The hotspot profile "${name}" has a certificate, so the router may announce its own page by DHCP (option 114): do not set a second one.`,
      );
    }
  }
  for (const { name, value } of found.rows('/ip/dhcp-server/option').filter(({ code }) => code === '114')) {
    notes.push(
      `DHCP tells phones already where the portal is, with option "${name}" (${value}): do not set a second one.`,
    );
  }
}

export function planProfile({
  needs: { profile, portal },
  found,
  draft: { changes, missing, notes },
}: PlanContext): void {
  const profiles = found.rows('/ip/hotspot/user/profile');
  for (const { name, 'rate-limit': rate = '' } of profiles) {
    const problem = rateLimitProblem(rate);
    if (problem !== null) {
      missing.push(`The rate-limit "${rate}" of the profile "${name}" makes the router refuse every login: ${problem}`);
    }
  }
  const existing = profiles.find(({ name }) => name === profile);
  if (existing === undefined) {
    changes.push({
      what: `Add the user profile "${profile}".`,
      why: 'People who paid are put online with it. Set its rate-limit as you like; Lango leaves it alone.',
      commands: addWithUndo(found.undoScripts, '/ip/hotspot/user/profile', newProfile(profile)),
    });
    return;
  }
  const keepalive = parseDuration(existing['keepalive-timeout']);
  if (existing['keepalive-timeout'] === 'none') {
    notes.push(
      `The profile "${profile}" has no keepalive-timeout, so a phone that left counts as online until its time ends; 15m is a good one.`,
    );
  } else if (keepalive !== null && keepalive < SHORTEST_KEEPALIVE) {
    notes.push(
      `The keepalive-timeout of the profile "${profile}" throws sleeping iPhones out: \`/ip hotspot user profile set [find name=${quoted(profile)}] keepalive-timeout=15m\` lets them sleep.`,
    );
  }
  if (existing['add-mac-cookie'] !== undefined && !parseBoolean(existing['add-mac-cookie'])) {
    notes.push(
      `The profile "${profile}" makes no cookies (add-mac-cookie=no): who comes back while the appliance is off stays out.`,
    );
  }
  if (!existing['on-login'] && portal !== null) {
    const tell = { menu: '/ip/hotspot/user/profile', verb: 'set', values: sessionScripts(portal) } as const;
    notes.push(
      `The profile "${profile}" runs no on-login script: Lango finds out who came and went within 15 seconds by itself. Scripts can tell it at once: \`${consoleLine({ ...tell, id: `[find name=${quoted(profile)}]` })}\``,
    );
  }
}
