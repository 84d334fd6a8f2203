/**
 * The whole set-up as a script for the console of a router that Lango cannot reach yet. It may be run as often as one
 * likes: what is there already is left as it is. RouterOS reads a script whole before it runs it, so a word that some
 * version does not know stands in a text that is parsed on the way. Source: RouterOS manual, "Scripting".
 */
import type { RouterSettings } from '../../domain/ports.ts';
import type { PortalPlace, RouterNeeds } from '../../domain/provisioning.ts';
import { networkOf } from '../subnets.ts';
import { type Command, consoleLine, consolePath, quoted } from './commands.ts';
import { loginPage, PAGE_MARK } from './login-page.ts';
import { CERTIFICATE } from './plan-machine.ts';
import { fastTrackRules, inputRule } from './plan-network.ts';
import { applianceBinding, LINK_LOCAL, newProfile, openPlaces } from './rows.ts';
import { DNS_COMMAND, DNS_UNDO, gatewayBeside, hotspotSetUp, SETUP_MARK, type SetUpRow } from './setup.ts';
import { pageFiles } from './survey.ts';
import { removalOf, UNDO_MENU, undoScript } from './undo.ts';

/** What the account of the appliance may do on the router. */
const POLICIES = 'api,read,write,reboot,test,sensitive,ftp';

/**
 * @param settings of the router, for the account of the appliance; null: the script makes none
 * @returns RouterOS script; it holds the account's password
 */
export function provisioningScript(
  needs: RouterNeeds & { portal: PortalPlace },
  settings: RouterSettings | null,
): string {
  const { portal, profile, hotspot, interface: chosen } = needs;
  const parts = [
    [
      '# Sets a router up for Lango: paste it into its terminal. It can be run again; what is there is left as it is.',
      chosen === null
        ? '# The hotspot itself must be there before: /ip hotspot setup, or lango router script --interface NAME'
        : `# A hotspot is made on ${comment(chosen)} where the router has none.`,
      '# Afterwards lango router check says what is left, such as what only a person can do.',
    ],
    settings === null ? [] : accountLines(settings, portal),
    settings === null ? [] : certificateLines(),
    settings === null ? [] : serviceLines(settings, portal),
    portal.isAddress && settings !== null ? ruleLines(inputRule(portal.host, settings.port)) : [],
    [
      '# The profile of people who paid. Its rate-limit is yours to set.',
      ...addNotedOnce('/ip/hotspot/user/profile', newProfile(profile)),
    ],
    [
      '# What phones reach before they are online, and what they must not come with.',
      ...[...openPlaces(needs), LINK_LOCAL].map(row => addOnce(row.menu, 'comment', row.values)),
    ],
    portal.isAddress ? bindingLines(portal) : [],
    chosen === null ? [] : hotspotLines({ ...needs, interface: chosen }),
    pageLines(portal, hotspot),
  ];
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n');
}

function accountLines({ username, password }: RouterSettings, portal: PortalPlace): string[] {
  const only = portal.isAddress ? { address: `${portal.host}/32` } : {};
  return [
    '# The account of the appliance, usable from there alone.',
    addOnce('/user/group', 'name', { name: 'lango', policy: POLICIES }),
    addOnce('/user', 'name', { name: username, group: 'lango', password, ...only }),
  ];
}

function certificateLines(): string[] {
  const its = `/certificate get [find where name=${quoted(CERTIFICATE.name)}] fingerprint`;
  return [
    '# A certificate for the encrypted API. Tell Lango its fingerprint: LANGO_ROUTER_SSL_FINGERPRINT.',
    ...addNotedOnce('/certificate', CERTIFICATE),
    `:if ([:len [${its}]] = 0) do={ /certificate sign ${CERTIFICATE.name} }`,
    `:put ("The fingerprint of the router's certificate: " . [${its}])`,
  ];
}

/**
 * Through ids alone: from 7.19 on a name is also that of each open connection, and setting one of those fails. Where
 * others may come from is called `available-from` from 7.24 on.
 */
function serviceLines({ ssl }: RouterSettings, portal: PortalPlace): string[] {
  const limits = portal.isAddress ? ['address', 'available-from'] : [];
  const secure = quoted(` certificate=${CERTIFICATE.name} disabled=no`);
  const lines = (name: string, condition: string, change: string, before: string) => [
    `:foreach service in=[/ip service find where name=${quoted(name)}] do={ :do {`,
    '  :local off [/ip service get $service disabled]',
    `  :if (${condition}) do={`,
    `    :local back (${quoted(`/ip service set [find name=${quoted(name)}]${before} disabled=`)} . $off)`,
    '    :local limit ""',
    '    :local free ""',
    ...limits.flatMap(limit => [
      '    :if ($off and ([:len $limit] = 0)) do={ :do {',
      `      :if ([:len [[:parse (":return [/ip service get " . $service . " ${limit}]")]]] = 0) do={`,
      `        :set limit ${quoted(` ${limit}=${portal.host}/32`)}`,
      `        :set free ${quoted(` ${limit}=""`)}`,
      '      }',
      '    } on-error={} }',
    ]),
    `    ${addOnce(UNDO_MENU, 'name', undoValues(name), { source: '($back . $free)' })}`,
    `    [[:parse ("/ip service set " . $service . ${change} . $limit)]]`,
    `    :if ([:len $limit] > 0) do={ :put ${quoted(`The service ${name} is open to ${portal.host} alone: other tools need an address of their own in it.`)} }`,
    '  }',
    '} on-error={} }',
  ];
  return [
    '# The services that the appliance comes in by. One that was off is opened to the appliance alone.',
    ...lines(
      'api-ssl',
      '[:len [/certificate find where name=[/ip service get $service certificate]]] = 0',
      secure,
      ' certificate=none',
    ),
    ...(ssl ? [] : lines('api', '$off', quoted(' disabled=no'), '')),
  ];
}

const undoValues = (service: string) => undoScript({ menu: '/ip/service', verb: 'set', find: ['name', service] });

/** The MAC keeps others from surfing with the appliance's address; the router knows it, if it has seen the appliance. */
function bindingLines(portal: PortalPlace): string[] {
  const { menu, values } = applianceBinding(portal, null);
  return [
    '# The appliance itself needs no login. Leave this out when it stands elsewhere than on the network of the hotspot.',
    `:if ([:len [${consolePath(menu)} find where comment=${quoted(values.comment)}]] = 0) do={`,
    `  :local seen [/ip arp find where address=${portal.host}]`,
    `  :if ([:len $seen] = 0) do={ ${consoleLine({ menu, verb: 'add', values })} } else={`,
    `    ${consoleLine({ menu, verb: 'add', values: { ...values, 'mac-address': '' }, expressions: { 'mac-address': '[/ip arp get [:pick $seen 0] mac-address]' } })}`,
    '  }',
    '}',
  ];
}

/** A rule that must come first: before what drops, or what bypasses. */
function ruleLines({ menu, values, what, beside }: ReturnType<typeof inputRule>): string[] {
  return [
    `# ${what}`,
    `:if ([:len [${consolePath(menu)} find where comment=${quoted(values.comment)}]] = 0) do={`,
    `  :local next [${consolePath(menu)} find where ${beside}]`,
    `  :if ([:len $next] > 0) do={ ${consoleLine({ menu, verb: 'add', values: { ...values, 'place-before': '' }, expressions: { 'place-before': '[:pick $next 0]' } })} }`,
    '}',
  ];
}

/** What `/ip hotspot setup` does, where there is no hotspot yet and the interface has no address of its own. */
function hotspotLines(needs: RouterNeeds & { interface: string }): string[] {
  const { bridge, rows, masquerade, server } = hotspotSetUp(needs, '$folder');
  const name = quoted(needs.interface);
  const network = networkOf(`${gatewayBeside(needs.portal)}/24`);
  const foreign = `/ip address find where interface=${name} and comment!=${quoted(SETUP_MARK)}`;
  const add = ({ menu, key, values }: SetUpRow) =>
    key === 'name' ? addNotedOnce(menu, values, { 'html-directory': '$folder' }) : [addOnce(menu, 'comment', values)];
  const unless = (find: string, line: string) => `:if ([:len [${find}]] = 0) do={ ${line} }`;
  const noNames = '([:len [/ip dns get servers]] = 0) and ([:len [/ip dns get dynamic-servers]] = 0)';
  return [
    `# The hotspot on ${comment(needs.interface)}.`,
    ':if ([:len [/ip hotspot find]] = 0) do={',
    `  :if ([:len [${foreign}]] > 0) do={`,
    `    :put ${quoted(`Lango leaves ${needs.interface} alone, which has an address: run /ip hotspot setup, or choose another interface.`)}`,
    '  } else={',
    ...[
      ':local folder "hotspot"',
      ':if ([:len [/file find where name="flash"]] > 0) do={ :set folder "flash/hotspot" }',
      unless(
        `/interface find where name=${name}`,
        consoleLine({ menu: bridge.menu, verb: 'add', values: bridge.values }),
      ),
      ...rows.flatMap(add),
      unless(
        '/ip firewall nat find where action=masquerade',
        consoleLine({ menu: masquerade.menu, verb: 'add', values: masquerade.values }),
      ),
      `:if (${noNames}) do={`,
      `  ${addOnce(UNDO_MENU, 'name', undoScript(DNS_UNDO))}`,
      `  ${consoleLine(DNS_COMMAND)}`,
      '}',
      ...add(server),
    ].map(line => `    ${line}`),
    '  }',
    '}',
    ...fastTrackRules(network).flatMap(ruleLines),
  ];
}

/** In quotes throughout: an address, bare, would be compared as an address with a text. */
function addOnce(
  menu: string,
  key: string,
  values: Readonly<Record<string, string>>,
  expressions: Command['expressions'] = {},
): string {
  const find = `${consolePath(menu)} find where ${key}=${quoted(values[key] ?? '')}`;
  return `:if ([:len [${find}]] = 0) do={ ${consoleLine({ menu, verb: 'add', values, expressions })} }`;
}

/** With the note of how to take it back, for what carries no comment. */
function addNotedOnce(
  menu: string,
  values: Readonly<Record<string, string>>,
  expressions: Command['expressions'] = {},
): string[] {
  const find = `${consolePath(menu)} find where name=${quoted(values['name'] ?? '')}`;
  const note = addOnce(UNDO_MENU, 'name', undoScript(removalOf(menu, 'name', values)));
  return [`:if ([:len [${find}]] = 0) do={ ${note} }`, addOnce(menu, 'name', values, expressions)];
}

/** A comment ends with its line. */
function comment(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}

/**
 * The folder of the pages is only known on the router. A page that cannot be kept beside ours is not replaced. Versions
 * before 7.9 cannot make files, and would not even read the command: it sees its values through globals.
 */
function pageLines(portal: PortalPlace, hotspot: string | null): string[] {
  const { page, kept } = pageFiles('');
  const which = hotspot === null ? '' : ` where name=${quoted(hotspot)}`;
  return [
    `# The page that sends phones to the portal. What is there now is kept as ${kept.slice(1)}.`,
    `:foreach server in=[/ip hotspot find${which}] do={`,
    `  :local html ${quoted(loginPage(portal))}`,
    '  :local settings [/ip hotspot profile find where name=[/ip hotspot get $server profile]]',
    '  :local folder [/ip hotspot profile get $settings html-directory]',
    '  :local instead ""',
    '  :do { :set instead [/ip hotspot profile get $settings html-directory-override] } on-error={}',
    '  :if ([:len $instead] > 0) do={ :set folder $instead }',
    `  :local page ($folder . ${quoted(page)})`,
    `  :local kept ($folder . ${quoted(kept)})`,
    '  :if ([:len [/file find where name=$page]] = 0) do={',
    ...made('$page', '$html').map(line => `    ${line}`),
    '  } else={',
    '    :local before [/file get [/file find where name=$page] contents]',
    `    :local ours [:len [:find $before ${quoted(PAGE_MARK)}]]`,
    '    :local taken [:len [/file find where name=$kept]]',
    '    :if (($ours = 0) and (($taken > 0) or ([:len $before] = 0))) do={',
    '      :put ("Lango leaves " . $page . " as it is: save it elsewhere, remove it, and run this again.")',
    '    } else={',
    '      :if ($ours = 0) do={',
    ...made('$kept', '$before').map(line => `        ${line}`),
    '      }',
    '      :if (($ours > 0) or ([:len [/file find where name=$kept]] > 0)) do={',
    '        /file set [/file find where name=$page] contents=$html',
    '      }',
    '    }',
    '  }',
    '}',
  ];
}

/** A file of that name and text, or a word about why there is none. */
function made(name: string, text: string): string[] {
  const add = ':global langoName; :global langoText; /file add name=$langoName contents=$langoText';
  return [
    `:global langoName ${name}`,
    `:global langoText ${text}`,
    `:do { [[:parse ${quoted(add)}]] } on-error={ :put (${quoted('This RouterOS makes no files by command. Save by hand, as the README says: ')} . ${name}) }`,
  ];
}
